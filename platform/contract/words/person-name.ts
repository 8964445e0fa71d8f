const SUFFIX = /^(?:jr|sr|ii|iii|iv|phd|md)\b/i

/**
 * Returns a name with the given name first: "Asha Rao (EXT)" for "Rao, Asha (EXT)", which directories and mail programs
 * write for sorting.
 */
export function givenNameFirst(name: string): string {
  const [, last, first, remark = ''] = /^([^,]+),\s*([^,(]*[^,(\s])(\s*\(.*\))?$/.exec(name) ?? []
  return last === undefined || first === undefined || SUFFIX.test(first) ? name : `${first} ${last}${remark}`
}
