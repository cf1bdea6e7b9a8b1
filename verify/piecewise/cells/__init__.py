"""The cells of a network in integers, with nothing rounded: exact, for networks of any kind.

`convex` has cells by their vertices and cuts them, `double_description` finds the vertices, `integer_network` has the network,
and `walk` the tree of its cells, layer by layer.
"""
