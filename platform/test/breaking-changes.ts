type Part = { readonly [name: string]: unknown }
type Direction = 'request' | 'reply'

const METHODS = ['get', 'post', 'patch', 'put', 'delete'] as const

/** Bounds of a request schema, with the comparison that makes a new value stricter. */
const BOUNDS: Readonly<Record<string, (before: number, after: number) => boolean>> = {
  maxLength: (before, after) => after < before,
  maximum: (before, after) => after < before,
  maxItems: (before, after) => after < before,
  minLength: (before, after) => after > before,
  minimum: (before, after) => after > before,
  minItems: (before, after) => after > before,
}

/**
 * Returns the changes between two OpenAPI descriptions that break a client of the first: deleted or renamed operations,
 * parameters and fields, stricter requests, and replies with other types or without a promised field.
 */
export function breakingChanges(before: Part, after: Part): string[] {
  const changes: string[] = []
  const schemaAt = (document: Part, part: unknown): Part => {
    const { $ref } = (part ?? {}) as { $ref?: string }
    if ($ref === undefined) return (part ?? {}) as Part
    return $ref
      .slice(2)
      .split('/')
      .reduce((at, name) => at[name] as Part, document)
  }
  const compare = (was: unknown, is: unknown, direction: Direction, at: string): void => {
    const [old, now] = [schemaAt(before, was), schemaAt(after, is)]
    if (JSON.stringify(old['type']) !== JSON.stringify(now['type'])) changes.push(`${at}: other type`)
    const values = (old['enum'] as unknown[] | undefined) ?? []
    const allowed = now['enum'] as unknown[] | undefined
    if (
      direction === 'request' &&
      allowed !== undefined &&
      (values.length === 0 || values.some((value) => !allowed.includes(value)))
    )
      changes.push(`${at}: fewer values`)
    if (direction === 'request') {
      for (const [bound, isStricter] of Object.entries(BOUNDS)) {
        const limit = now[bound] as number | undefined
        if (limit === undefined) continue
        const limitBefore = old[bound] as number | undefined
        if (limitBefore === undefined ? !(bound.startsWith('min') && limit === 0) : isStricter(limitBefore, limit))
          changes.push(`${at}: stricter ${bound}`)
      }
      if (now['pattern'] !== undefined && now['pattern'] !== old['pattern']) changes.push(`${at}: other pattern`)
    }
    const fields = (old['properties'] ?? {}) as Part
    const current = (now['properties'] ?? {}) as Part
    for (const [name, field] of Object.entries(fields)) {
      if (current[name] === undefined) changes.push(`${at}.${name}: removed`)
      else compare(field, current[name], direction, `${at}.${name}`)
    }
    const required = (old['required'] ?? []) as string[]
    const requiredNow = (now['required'] ?? []) as string[]
    const broken =
      direction === 'request'
        ? requiredNow.filter((name) => !required.includes(name))
        : required.filter((name) => !requiredNow.includes(name))
    for (const name of broken)
      changes.push(`${at}.${name}: ${direction === 'request' ? 'now required' : 'now optional'}`)
    if (old['items'] !== undefined && now['items'] !== undefined)
      compare(old['items'], now['items'], direction, `${at}[]`)
    for (const key of ['anyOf', 'oneOf', 'prefixItems'] as const) {
      const [parts, partsNow] = [(old[key] ?? []) as unknown[], (now[key] ?? []) as unknown[]]
      parts.forEach((part, index) => {
        if (partsNow[index] === undefined) changes.push(`${at}: fewer forms`)
        else compare(part, partsNow[index], direction, `${at}(${index})`)
      })
    }
  }
  const bodyOf = (part: Part | undefined) => {
    const content = (part?.['content'] ?? {}) as Part
    return (content['application/json'] as Part | undefined)?.['schema']
  }
  const pathsAfter = after['paths'] as Part
  for (const [path, item] of Object.entries(before['paths'] as Part)) {
    for (const method of METHODS) {
      const was = (item as Part)[method] as Part | undefined
      if (was === undefined) continue
      const is = (pathsAfter[path] as Part | undefined)?.[method] as Part | undefined
      const name = String(was['operationId'])
      if (is === undefined) {
        changes.push(`${name}: removed`)
        continue
      }
      if (is['operationId'] !== was['operationId']) changes.push(`${name}: renamed`)
      if (is['x-scope'] !== was['x-scope']) changes.push(`${name}: other scope`)
      const parameters = (operation: Part) =>
        new Map(((operation['parameters'] ?? []) as Part[]).map((each) => [String(each['name'] ?? each['$ref']), each]))
      const provided = parameters(is)
      for (const [parameter, old] of parameters(was)) {
        const now = provided.get(parameter)
        if (now === undefined) changes.push(`${name}?${parameter}: removed`)
        else compare(old['schema'], now['schema'], 'request', `${name}?${parameter}`)
      }
      for (const [parameter, now] of provided) {
        if (now['required'] === true && parameters(was).get(parameter)?.['required'] !== true)
          changes.push(`${name}?${parameter}: now required`)
      }
      compare(bodyOf(was['requestBody'] as Part), bodyOf(is['requestBody'] as Part), 'request', `${name} request`)
      const reply = (operation: Part) => bodyOf((operation['responses'] as Part)['200'] as Part)
      compare(reply(was), reply(is), 'reply', `${name} reply`)
    }
  }
  return changes
}
