// Names of what shape inference can find irreconcilable, for the rules that speak of it.
#pragma once

#include <cstdint>

namespace trtcheck {

/// What a conflict or an obligation is about.
enum class ConflictId : std::uint8_t {
  other,                 ///< anything else: shape-conflict tells it
  conv_rank,             ///< ranks of data and weights of Conv and ConvTranspose
  conv_channels,         ///< channels of the data against those of the weights
  conv_group,            ///< the group count against the channels of the weights
  conv_kernel_shape,     ///< the attribute against the weights
  conv_bias,             ///< one value per output channel
  batchnorm_parameters,  ///< four vectors of one length
  batchnorm_channels,    ///< that length against the channels of the data
  scale_length,          ///< scales of Q and DQ against the axis that they are for
};

}  // namespace trtcheck
