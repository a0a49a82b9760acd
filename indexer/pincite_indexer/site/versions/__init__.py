"""Find the folders of a site that are versions, and which of them is the current one."""
