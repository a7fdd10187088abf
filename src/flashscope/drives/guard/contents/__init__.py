"""What a drive or a file holds: nothing, flashscope's own data, or data of others."""
