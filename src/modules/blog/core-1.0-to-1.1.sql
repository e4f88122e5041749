-- Counts and links are kept since version 1.0: making them again would hold all posts for as long as it takes.
SET LOCAL wardenry.posts_are_counted = 'true';
