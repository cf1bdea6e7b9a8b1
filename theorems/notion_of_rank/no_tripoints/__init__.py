r"""Classification: with bottleneck rank 1 no three classes meet.

Statement
    Let the scores f = h(g(x)) in R^K be piecewise linear through one dimension, and let a class be the open set where its score
    is larger than all others. Then every x is in the closure of at most two classes.

    A Jacobian of rank 1 does not suffice: of the scores
    :math:`f_c(x) = \max(0, a_c \cdot x - \max_{j \ne c} a_j \cdot x)` with a = (1, 0), (0, 1), (-1, -1) the Jacobian has rank 1
    on every linear region, and three classes meet at the origin; so their bottleneck rank is 2, on a convex set, without a
    hole. Every h(g(x)) with scalar g differs from it by at least 1/2 somewhere (``.tripod_error``).
Checked
    Points where all scores are equal (only there could three classes meet), with the exact one-sided derivatives of the network
    in a dozen directions: a class whose derivative is strictly the largest in a direction u is strictly ahead at x + tu for
    small t > 0. The tripod over all its regions. Its error for every encoder drawn, up to what bisection leaves. Strict classes
    are essential: if ties go to the lowest index, h = (0, -z, z) has three classes at z = 0.
Proof idea
    On each side of z = g(x) the scores h are affine nearby, so that there at most one class is strictly ahead. Of the three
    points where one score of the tripod is 1 and the others are 0, the middle one in the order of g has a double on a path
    between the other two, where its score is 0.
Tight
    Two classes; the constant 1/2, and the first coordinate with a decoder, on the three segments between these points.
Source
    notion_of_rank, classification without tripoints; the tripod and its error are derived here.
"""
