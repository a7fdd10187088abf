"""Parts: what data sheets and teardowns state of a drive, read from TOML and checked key by key."""
