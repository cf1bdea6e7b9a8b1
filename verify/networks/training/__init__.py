"""Training with a ridge: losses, gradients by reverse passes, gradient descent, Adam and L-BFGS, checkpoints.

Everything works on one network or on a batch, each of which is trained for itself. Gradients are exact for exact networks;
training itself is for floats, in the precision of the network.
"""

from verify.networks.training.checkpoints import CheckpointMismatch
from verify.networks.training.gradients import loss_and_gradient
from verify.networks.training.initialisation import he_network
from verify.networks.training.lbfgs import finish
from verify.networks.training.loop import Diverged, Training, TrainingStep, train
from verify.networks.training.losses import CrossEntropy, Loss, MeanSquaredError
from verify.networks.training.optimisers import Adam, GradientDescent
from verify.networks.training.schedules import Cosine, Linear, Schedule, WarmUp

__all__ = [
    "Adam",
    "CheckpointMismatch",
    "Cosine",
    "CrossEntropy",
    "Diverged",
    "GradientDescent",
    "Linear",
    "Loss",
    "MeanSquaredError",
    "Schedule",
    "Training",
    "TrainingStep",
    "WarmUp",
    "finish",
    "he_network",
    "loss_and_gradient",
    "train",
]
