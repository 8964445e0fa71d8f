import { readSpecification, specificationRoot, WHERE_TO_FIND } from './specification.ts'

const root = specificationRoot()

/**
 * Null if this machine lacks the files. Tests that need the files are then skipped, and their names state the reason.
 */
export const specification = root === null ? null : readSpecification(root)

/**
 * Folder of the files, or instructions how to get the files. It is part of the name of each test that needs the files.
 */
export const SOURCE = root ?? WHERE_TO_FIND

/** Date header of the example responses. */
export const EXAMPLE_DATE = new Date('2026-11-21T02:03:04Z')

export const EXAMPLE_CALLER = {
  subscriptionId: '00000000-0000-0000-0000-000000000000',
  credential: { getToken: async () => ({ token: 'example', expiresOnTimestamp: Date.now() + 3_600_000 }) },
}
