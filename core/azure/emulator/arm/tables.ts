export const tables = `
CREATE TABLE IF NOT EXISTS resource (
  key TEXT PRIMARY KEY,
  id TEXT NOT NULL,
  type TEXT NOT NULL,
  subscription TEXT NOT NULL,
  "group" TEXT NOT NULL,
  parent TEXT,
  name TEXT NOT NULL,
  uid TEXT NOT NULL,
  state TEXT NOT NULL,
  location TEXT NOT NULL,
  tags TEXT,
  doc TEXT NOT NULL,
  revision INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS resource_by_type ON resource (type, subscription, key);
CREATE INDEX IF NOT EXISTS resource_by_group ON resource ("group", type, key);
CREATE INDEX IF NOT EXISTS resource_by_parent ON resource (parent) WHERE parent IS NOT NULL;

CREATE TABLE IF NOT EXISTS link (
  source TEXT NOT NULL,
  role TEXT NOT NULL,
  target TEXT NOT NULL,
  via TEXT NOT NULL,
  PRIMARY KEY (source, role, target, via)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS link_by_target ON link (target, role);
-- Data directories of earlier versions have the old names of these roles.
UPDATE link SET role = 'networkInterface' WHERE role = 'card';
UPDATE link SET role = 'securityGroup' WHERE role = 'guard';

CREATE TABLE IF NOT EXISTS history (
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  event TEXT NOT NULL,
  type TEXT NOT NULL,
  id TEXT NOT NULL,
  uid TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS operation (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  namespace TEXT NOT NULL,
  subscription TEXT NOT NULL,
  location TEXT NOT NULL,
  target TEXT NOT NULL,
  uid TEXT NOT NULL,
  effect TEXT NOT NULL,
  status TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ends_at INTEGER,
  ended_at INTEGER,
  failure TEXT
);
CREATE INDEX IF NOT EXISTS operation_due ON operation (ends_at) WHERE status = 'InProgress';
CREATE INDEX IF NOT EXISTS operation_at_work ON operation (target) WHERE status = 'InProgress';
`
