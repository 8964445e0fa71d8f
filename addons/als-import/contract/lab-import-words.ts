/** Kinds of items that an import creates, changes or reports. */
export const IMPORT_ITEMS = [
  'lab',
  'training',
  'template',
  'image',
  'idle stop',
  'schedule',
  'learner',
  'owner',
  'link',
] as const
export type ImportItemKind = (typeof IMPORT_ITEMS)[number]

export const IMPORT_ITEM_LABELS: Readonly<Record<ImportItemKind, string>> = {
  lab: 'Lab',
  training: 'Training',
  template: 'Template',
  image: 'Image',
  'idle stop': 'Idle stop',
  schedule: 'Schedule',
  learner: 'Learner',
  owner: 'Instructor',
  link: 'Link',
}

/**
 * - `create`, `change`: done by the import.
 * - `same`: is here already.
 * - `kept`: was edited here since the last import and did not change in the source.
 * - `conflict`: was edited here and changed in the source. It is changed only if the user selects it.
 * - `leftover`: no longer in the source. It is removed here only if the user selects it.
 * - `differs`: moves, but not as it is in the source.
 * - `blocked`: cannot move until something is done.
 */
export const IMPORT_STATES = ['create', 'change', 'same', 'kept', 'conflict', 'leftover', 'differs', 'blocked'] as const
export type ImportItemState = (typeof IMPORT_STATES)[number]

export const IMPORT_STATE_LABELS: Readonly<Record<ImportItemState, string>> = {
  create: 'Will be created',
  change: 'Will be changed',
  same: 'Already here',
  kept: 'Edited here',
  conflict: 'Changed on both sides',
  leftover: 'No longer there',
  differs: 'Differs',
  blocked: 'Cannot move',
}

export const LAB_FILES_MAX = 20
export const LAB_FILE_CHARACTERS = 500_000
export const LAB_IMPORTS_PER_ORGANISATION = 20
export const LABS_PER_APPLY = 100
