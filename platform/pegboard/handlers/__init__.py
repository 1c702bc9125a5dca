"""What ships as handlers, one room a file. Rooms know nothing of each other; declarations name them."""
