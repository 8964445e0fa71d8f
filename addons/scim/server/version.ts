import { ScimError } from './scim-error.ts'

/**
 * Returns the entity tag of a resource (RFC 7644, section 3.14). The tag is weak, because replies differ in their
 * attributes.
 */
export const versionOf = (version: number): string => `W/"${version}"`

const tagsIn = (header: string): string[] => header.split(',').map((tag) => tag.trim().replace(/^W\//i, ''))

const isNamed = (header: string, version: number): boolean =>
  tagsIn(header).some((tag) => tag === '*' || tag === `"${version}"`)

/** @throws ScimError 412 if the header If-Match names another version */
export function requireVersion(ifMatch: string | undefined, version: number): void {
  if (ifMatch !== undefined && !isNamed(ifMatch, version))
    throw new ScimError(412, null, 'The resource has changed since it was read. Read it again first.')
}

/** True if the header If-None-Match names the version of a resource. */
export const isUnchanged = (ifNoneMatch: string | undefined, version: unknown): boolean => {
  const number = /^W\/"(\d+)"$/.exec(String(version))?.[1]
  return ifNoneMatch !== undefined && number !== undefined && isNamed(ifNoneMatch, Number(number))
}
