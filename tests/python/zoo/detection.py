"""Detection heads: boxes decoded inside the graph, with a selection that depends on the data or on a constant k."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Head(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.backbone = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), nn.SiLU(), nn.Conv2d(8, 8, 3, 2, 1), nn.SiLU())
        self.boxes = nn.Conv2d(8, 4, 1)
        self.classes = nn.Conv2d(8, 5, 1)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        y = self.backbone(x)
        boxes = self.boxes(y).flatten(2).transpose(1, 2)
        center, size = boxes.split(2, dim=2)
        corners = torch.cat([center - size.exp() / 2, center + size.exp() / 2], dim=2)
        return corners, self.classes(y).flatten(2).transpose(1, 2).sigmoid()


class TopKDetector(nn.Module):
    """No suppression and no data-dependent size: the ten best cells of each image."""

    def __init__(self) -> None:
        super().__init__()
        self.head = Head()

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        boxes, scores = self.head(x)
        best, label = scores.max(dim=2)
        top, index = torch.topk(best, 10, dim=1)
        picked = torch.gather(boxes, 1, index.unsqueeze(-1).expand(-1, -1, 4))
        return picked, top, torch.gather(label, 1, index)


class NonZeroDetector(nn.Module):
    """Keeps the cells above a threshold: the number of rows depends on the data."""

    def __init__(self) -> None:
        super().__init__()
        self.head = Head()

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        boxes, scores = self.head(x)
        best, label = scores.max(dim=2)
        image, cell = torch.where(best > 0.5)
        return torch.cat([image.unsqueeze(1).float(), boxes[image, cell]], dim=1), best[image, cell], label[image, cell]


class AnchorDetector(nn.Module):
    """Anchor grid made from the feature map's size, as YOLO-like heads do."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3, 4, 1)
        self.head = nn.Conv2d(8, 2 * 7, 1)
        self.register_buffer("anchors", torch.tensor([[8.0, 8.0], [16.0, 24.0]]))

    def forward(self, x: Tensor) -> Tensor:
        y = self.head(F.mish(self.stem(x)))
        batch, _, rows, columns = y.shape
        y = y.view(batch, 2, 7, rows, columns).permute(0, 1, 3, 4, 2).sigmoid()
        gy, gx = torch.meshgrid(torch.arange(rows), torch.arange(columns), indexing="ij")
        grid = torch.stack([gx, gy], dim=2).float()
        xy = (y[..., 0:2] * 2 - 0.5 + grid) * 4
        wh = (y[..., 2:4] * 2) ** 2 * self.anchors.view(1, 2, 1, 1, 2)
        return torch.cat([xy, wh, y[..., 4:]], dim=-1).view(batch, -1, 7)
