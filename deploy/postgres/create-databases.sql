-- Runs once, when the volume is new. context_manager, the image's own first database, is for @cm/store-postgres.
CREATE DATABASE xtdb;
