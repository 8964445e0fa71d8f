/** Reads use `seen_from` and `seen_until`, which are later than creation and deletion if a fault delays visibility. */
export const awsTables = `
CREATE TABLE IF NOT EXISTS aws_account (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  parent TEXT NOT NULL,
  joined_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS aws_control (
  policy TEXT NOT NULL,
  target TEXT NOT NULL,
  PRIMARY KEY (policy, target)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS aws_session (
  access_key TEXT PRIMARY KEY,
  secret TEXT NOT NULL,
  token TEXT NOT NULL,
  account TEXT NOT NULL,
  arn TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS aws_user (
  uid TEXT PRIMARY KEY,
  account TEXT NOT NULL,
  name TEXT NOT NULL,
  path TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  deleted_at INTEGER,
  seen_from INTEGER NOT NULL,
  seen_until INTEGER
) WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS aws_user_name ON aws_user (account, lower(name)) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS aws_user_by_account ON aws_user (account, name);

CREATE TABLE IF NOT EXISTS aws_part (
  seq INTEGER PRIMARY KEY,
  uid TEXT NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  doc TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  deleted_at INTEGER,
  seen_from INTEGER NOT NULL,
  seen_until INTEGER
);
CREATE UNIQUE INDEX IF NOT EXISTS aws_part_once ON aws_part (uid, kind, name) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS aws_part_by_user ON aws_part (uid, kind, name);
CREATE INDEX IF NOT EXISTS aws_part_by_name ON aws_part (kind, name);

CREATE TABLE IF NOT EXISTS aws_policy (
  arn TEXT PRIMARY KEY,
  id TEXT NOT NULL,
  account TEXT NOT NULL,
  name TEXT NOT NULL,
  path TEXT NOT NULL,
  doc TEXT NOT NULL,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS aws_portal_policy (doc TEXT NOT NULL);

CREATE TABLE IF NOT EXISTS aws_late (
  seq INTEGER PRIMARY KEY,
  due_at INTEGER NOT NULL,
  account TEXT NOT NULL,
  arn TEXT NOT NULL,
  operation TEXT NOT NULL,
  input TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS aws_late_due ON aws_late (due_at);

CREATE TABLE IF NOT EXISTS aws_history (
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  operation TEXT NOT NULL,
  account TEXT NOT NULL,
  name TEXT NOT NULL
);
`
