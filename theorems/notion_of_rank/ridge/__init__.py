"""L2 regularisation of the parameters is regularisation of the function by its representation cost; what that selects."""
