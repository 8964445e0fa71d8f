import { Refusal } from '../arm/refusal.ts'
import type { Resource } from '../arm/resources.ts'

const fields: Readonly<Record<string, (resource: Resource, value: string) => boolean>> = {
  resourcegroup: ({ group }, value) => group.endsWith(`/${value}`),
  resourcetype: ({ type }, value) => type.toLowerCase() === value,
  name: ({ name }, value) => name.toLowerCase() === value,
  location: ({ location }, value) => location === value,
  tagname: ({ tags }, value) => Object.keys(tags ?? {}).some((name) => name.toLowerCase() === value),
  tagvalue: ({ tags }, value) => Object.values(tags ?? {}).some((each) => each.toLowerCase() === value),
}

/** Parses `resourceType eq '...' and name eq '...'`. Values are compared without regard to case. */
export function resourceFilter(filter: string | undefined): (resource: Resource) => boolean {
  if (filter === undefined || filter.trim() === '') return () => true
  const tests = filter.split(/\s+and\s+/i).map((clause) => {
    const [, name = '', value = ''] = /^\s*(\w+)\s+eq\s+'([^']*)'\s*$/i.exec(clause) ?? []
    const field = fields[name.toLowerCase()]
    if (field === undefined) {
      throw new Refusal(400, 'InvalidFilterInQueryString', `Invalid $filter '${filter}' specified in the query string.`)
    }
    return (resource: Resource) => field(resource, value.toLowerCase())
  })
  return (resource) => tests.every((test) => test(resource))
}
