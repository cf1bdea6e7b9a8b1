"""Digits drawn from fonts."""

import numpy as np
import pytest
from scipy import ndimage

from verify.experiments import glyphs
from verify.experiments.drawing import naming_the_extra

HOLES = {1: 0, 2: 0, 3: 0, 5: 0, 7: 0, 4: 1, 6: 1, 9: 1, 8: 2}


@pytest.mark.parametrize(("digit", "holes"), HOLES.items())
def test_a_digit_has_its_holes(digit, holes):
    images = glyphs.digit_images(np.random.default_rng(digit), [digit] * 5, 80)
    assert images.min() == 0
    assert images.max() == 1
    for image in images.reshape(-1, 80, 80):
        border = np.concatenate([image[[0, -1]].ravel(), image[:, [0, -1]].ravel()])
        assert border.mean() < 0.1
        regions = ndimage.label(np.pad(image, 1) < 0.5)[0]
        sizes = np.bincount(regions.ravel())[1:]
        assert (sizes > 25).sum() == 1 + holes  # smaller ones are between a serif and its stroke


def test_images_differ_and_depend_on_the_generator_alone():
    first, again, other = (glyphs.digit_images(np.random.default_rng(seed), [3, 3, 3], 12) for seed in (0, 0, 1))
    assert (first == again).all()
    distances = [np.linalg.norm(one - two) for one, two in ((first[0], first[1]), (first[0], first[2]), (first[0], other[0]))]
    assert min(distances) > 1


def test_without_matplotlib_the_error_names_the_extra():
    with pytest.raises(ModuleNotFoundError, match="the extra `plots`"), naming_the_extra():
        raise ModuleNotFoundError("No module named 'matplotlib'", name="matplotlib")
    with pytest.raises(ModuleNotFoundError, match="another"), naming_the_extra():
        raise ModuleNotFoundError("another", name="another")
