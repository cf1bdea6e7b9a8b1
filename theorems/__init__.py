"""The statements of five documents on L2-regularised deep networks, one module each; `verify` checks them."""
