"""The table of actions: menus, keys and enabling conditions."""
