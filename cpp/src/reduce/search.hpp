// What is taken away, in which order.
#pragma once

#include "reduce/trial.hpp"

namespace trtcheck::reducing {

/// Nodes of the main graph. First those around the finding, then parts that become smaller and smaller.
void take_nodes(Trial& trial);
/// Bodies and functions: their nodes become the model, or what the finding does not need goes out of them.
/// True: something was taken away.
bool take_bodies(Trial& trial);
/// Outputs of the model, inputs of nodes, outputs of nodes. True: something was taken away.
bool take_inputs(Trial& trial);
/// Attributes of nodes. True: something was taken away.
bool take_attributes(Trial& trial);

}  // namespace trtcheck::reducing
