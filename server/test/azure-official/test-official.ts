import { readSpecification, specificationRoot, WHERE_TO_FIND } from './specification.ts'

/** Every test against Azure's published files begins with this. */

const root = specificationRoot()

/** Null where this machine has none of the files: what needs them is skipped, and its name says so. */
export const specification = root === null ? null : readSpecification(root)

/** The folder of the files, or where one would find them: stands in the name of each such test. */
export const SOURCE = root ?? WHERE_TO_FIND

/** When the examples are answered. */
export const EXAMPLE_DATE = new Date('2026-11-21T02:03:04Z')

/** The caller in the examples. */
export const EXAMPLE_CALLER = {
  subscriptionId: '00000000-0000-0000-0000-000000000000',
  credential: { getToken: async () => ({ token: 'example', expiresOnTimestamp: Date.now() + 3_600_000 }) },
}
