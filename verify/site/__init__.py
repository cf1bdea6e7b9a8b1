"""The pages of the site: the atlas of a package, its errata, its sentences, its figures and the reference."""
