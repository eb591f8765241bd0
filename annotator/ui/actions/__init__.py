"""The table of actions: menus, keys, what is enabled when."""
