/** The resource types of the SCIM endpoint and their attributes, after RFC 7643, sections 4 and 7. */

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const ENTERPRISE_SCHEMA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
export const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
export const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'
export const SEARCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest'

/** Largest number of resources in one reply. */
export const PAGE_MAX = 200
/**
 * Maximum length of `display`, the name of a member or group in a list. Longer names are cut, because a list can have
 * thousands of entries.
 */
export const DISPLAY_MAX = 255
export const PAGE_DEFAULT = 100

export interface Attribute {
  readonly name: string
  readonly type: 'string' | 'boolean' | 'integer' | 'reference' | 'dateTime' | 'binary' | 'complex'
  readonly multiValued: boolean
  readonly description: string
  readonly required: boolean
  readonly caseExact: boolean
  readonly mutability: 'readOnly' | 'readWrite' | 'immutable'
  readonly returned: 'always' | 'default'
  readonly uniqueness: 'none' | 'server'
  readonly referenceTypes?: readonly string[]
  readonly canonicalValues?: readonly string[]
  readonly subAttributes?: readonly Attribute[]
}

export interface Schema {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly attributes: readonly Attribute[]
}

const text = (name: string, description: string, more: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
})

const complex = (
  name: string,
  description: string,
  subAttributes: readonly Attribute[],
  more: Partial<Attribute> = {},
): Attribute => text(name, description, { type: 'complex', subAttributes, ...more })

const boolean = (name: string, description: string): Attribute => text(name, description, { type: 'boolean' })

/** A multi-valued attribute with the default sub-attributes of RFC 7643, section 2.4. */
const list = (name: string, description: string, types: readonly string[] = [], value: Partial<Attribute> = {}) =>
  complex(
    name,
    description,
    [
      text('value', `The value of the entry.`, value),
      text('display', 'A human-readable name of the entry.'),
      text('type', 'A label of the function of the entry.', types.length > 0 ? { canonicalValues: types } : {}),
      boolean('primary', 'True for the preferred entry, at most one of the list.'),
    ],
    { multiValued: true },
  )

const USER: Schema = {
  id: USER_SCHEMA,
  name: 'User',
  description: 'User Account',
  attributes: [
    text('userName', 'Unique name of the user in the organisation. Usually the e-mail address.', {
      required: true,
      uniqueness: 'server',
    }),
    complex('name', "The components of the user's name.", [
      text('formatted', 'The full name, as it is displayed.'),
      text('familyName', 'The family name.'),
      text('givenName', 'The given name.'),
      text('middleName', 'The middle name or names.'),
      text('honorificPrefix', 'A title before the name.'),
      text('honorificSuffix', 'A title after the name.'),
    ]),
    text('displayName', 'The name of the user, as it is displayed.'),
    text('nickName', 'The casual name of the user.'),
    text('profileUrl', "Address of the user's profile.", {
      type: 'reference',
      referenceTypes: ['external'],
      caseExact: true,
    }),
    text('title', "The user's title, such as Vice President."),
    text('userType', 'The relationship of the user to the organisation, such as Contractor.'),
    text('preferredLanguage', "The user's preferred language."),
    text('locale', "The user's locale."),
    text('timezone', "The user's time zone."),
    boolean('active', 'False for a user who may not sign in. Their sessions end and their machines are stopped.'),
    list('emails', 'E-mail addresses of the user.', ['work', 'home', 'other']),
    list('phoneNumbers', 'Phone numbers of the user.', ['work', 'home', 'mobile', 'fax', 'pager', 'other']),
    list('ims', 'Addresses of instant messengers of the user.'),
    list('photos', 'Addresses of photos of the user.', ['photo', 'thumbnail'], {
      type: 'reference',
      referenceTypes: ['external'],
      caseExact: true,
    }),
    complex(
      'addresses',
      'Postal addresses of the user.',
      [
        text('formatted', 'The full address, as it is displayed.'),
        text('streetAddress', 'The street, house number and similar parts.'),
        text('locality', 'The city.'),
        text('region', 'The state or region.'),
        text('postalCode', 'The postal code.'),
        text('country', 'The country.'),
        text('type', 'A label of the function of the address.', { canonicalValues: ['work', 'home', 'other'] }),
        boolean('primary', 'True for the preferred address, at most one.'),
      ],
      { multiValued: true },
    ),
    complex(
      'groups',
      'Groups of which the user is a member. Read-only: change the members of the group instead.',
      [
        text('value', 'ID of the group.', { mutability: 'readOnly', caseExact: true }),
        text('$ref', 'Address of the group.', {
          type: 'reference',
          referenceTypes: ['Group'],
          mutability: 'readOnly',
          caseExact: true,
        }),
        text('display', 'Name of the group.', { mutability: 'readOnly' }),
        text('type', 'Always direct.', { mutability: 'readOnly', canonicalValues: ['direct'] }),
      ],
      { multiValued: true, mutability: 'readOnly' },
    ),
    list('entitlements', 'Entitlements of the user. Stored without effect.'),
    list('roles', 'Roles of the user. Stored without effect: map groups to access levels instead.'),
    list('x509Certificates', 'Certificates of the user. Stored without effect.', [], {
      type: 'binary',
      caseExact: true,
    }),
  ],
}

const ENTERPRISE: Schema = {
  id: ENTERPRISE_SCHEMA,
  name: 'EnterpriseUser',
  description: 'Enterprise User',
  attributes: [
    text('employeeNumber', 'Number of the user in the organisation.'),
    text('costCenter', 'Cost centre of the user.'),
    text('organization', 'Organisation of the user.'),
    text('division', 'Division of the user.'),
    text('department', 'Department of the user.'),
    complex('manager', "The user's manager.", [
      text('value', 'ID of the manager.', { caseExact: true }),
      text('$ref', 'Address of the manager.', { type: 'reference', referenceTypes: ['User'], caseExact: true }),
      text('displayName', 'Name of the manager.', { mutability: 'readOnly' }),
    ]),
  ],
}

const GROUP: Schema = {
  id: GROUP_SCHEMA,
  name: 'Group',
  description: 'Group',
  attributes: [
    text('displayName', 'Unique name of the group in the organisation.', { required: true, uniqueness: 'server' }),
    complex(
      'members',
      'Members of the group.',
      [
        text('value', 'ID of the member.', { mutability: 'immutable', caseExact: true }),
        text('$ref', 'Address of the member.', {
          type: 'reference',
          referenceTypes: ['User'],
          mutability: 'immutable',
          caseExact: true,
        }),
        text('display', 'Name of the member.', { mutability: 'immutable' }),
        text('type', 'Kind of the member.', { mutability: 'immutable', canonicalValues: ['User'] }),
      ],
      { multiValued: true },
    ),
  ],
}

const readOnly = (attributes: readonly Attribute[]): Attribute[] =>
  attributes.map(({ subAttributes, ...attribute }) => ({
    ...attribute,
    mutability: 'readOnly',
    ...(subAttributes !== undefined && { subAttributes: readOnly(subAttributes) }),
  }))

const integer = (name: string, description: string): Attribute =>
  text(name, description, { type: 'integer', required: true })
const uri = (name: string, description: string, more: Partial<Attribute> = {}): Attribute =>
  text(name, description, { type: 'reference', referenceTypes: ['uri'], caseExact: true, ...more })
const exact = (name: string, description: string): Attribute =>
  text(name, description, { required: true, caseExact: true })
const required = (attribute: Attribute): Attribute => ({ ...attribute, required: true })
const supported = required(boolean('supported', 'True if the function is supported.'))
const feature = (name: string, description: string, more: readonly Attribute[] = []): Attribute =>
  required(complex(name, description, [supported, ...more]))

/** Characteristics of an attribute (RFC 7643, section 7), without `subAttributes`. */
const CHARACTERISTICS: readonly Attribute[] = [
  exact('name', 'Name of the attribute.'),
  exact('type', 'Data type of the attribute.'),
  required(boolean('multiValued', 'True for a list.')),
  text('description', 'Description for people.', { caseExact: true }),
  required(boolean('required', 'True if a resource must have the attribute.')),
  text('canonicalValues', 'Suggested values.', { multiValued: true, caseExact: true }),
  boolean('caseExact', 'True if upper and lower case differ.'),
  exact('mutability', 'When the attribute can be changed.'),
  exact('returned', 'When the attribute is returned.'),
  exact('uniqueness', 'Where the value is unique.'),
  text('referenceTypes', 'Types of resources that can be referenced.', { multiValued: true, caseExact: true }),
]

/** Schemas of the documents that describe the endpoint (RFC 7643, section 8.7.2). */
export const DOCUMENT_SCHEMAS: readonly Schema[] = [
  {
    id: 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig',
    name: 'ServiceProviderConfig',
    description: 'Functions that the service provider supports',
    attributes: readOnly([
      uri('documentationUri', 'Address of the documentation.', { referenceTypes: ['external'] }),
      feature('patch', 'PATCH requests.'),
      feature('bulk', 'Bulk requests.', [
        integer('maxOperations', 'Maximum number of operations.'),
        integer('maxPayloadSize', 'Maximum size of a request in bytes.'),
      ]),
      feature('filter', 'Filters.', [integer('maxResults', 'Maximum number of resources in a reply.')]),
      feature('changePassword', 'Changes of passwords.'),
      feature('sort', 'Sorting.'),
      feature('etag', 'Entity tags.'),
      complex(
        'authenticationSchemes',
        'Supported authentication schemes.',
        [
          exact('type', 'Kind of the scheme.'),
          exact('name', 'Name of the scheme.'),
          exact('description', 'Description of the scheme.'),
          uri('specUri', 'Address of the specification.', { referenceTypes: ['external'] }),
          uri('documentationUri', 'Address of the documentation.', { referenceTypes: ['external'] }),
          boolean('primary', 'True for the preferred scheme.'),
        ],
        { multiValued: true, required: true },
      ),
    ]),
  },
  {
    id: 'urn:ietf:params:scim:schemas:core:2.0:ResourceType',
    name: 'ResourceType',
    description: 'A kind of resource',
    attributes: readOnly([
      text('id', 'ID of the resource type.', { caseExact: true }),
      exact('name', 'Name of the resource type.'),
      text('description', 'Description for people.', { caseExact: true }),
      uri('endpoint', 'Address of the resources, relative to the base address.', { required: true }),
      uri('schema', 'ID of the primary schema.', { required: true }),
      complex(
        'schemaExtensions',
        'Extensions of the schema.',
        [
          uri('schema', 'ID of the extension.', { required: true }),
          required(boolean('required', 'True if a resource must have the extension.')),
        ],
        { multiValued: true },
      ),
    ]),
  },
  {
    id: 'urn:ietf:params:scim:schemas:core:2.0:Schema',
    name: 'Schema',
    description: 'The attributes of a resource',
    attributes: readOnly([
      uri('id', 'ID of the schema.', { required: true }),
      text('name', 'Name of the schema.', { caseExact: true }),
      text('description', 'Description for people.', { caseExact: true }),
      complex(
        'attributes',
        'The attributes.',
        [
          ...CHARACTERISTICS,
          complex('subAttributes', 'The attributes of a complex attribute.', CHARACTERISTICS, { multiValued: true }),
        ],
        { multiValued: true, required: true },
      ),
    ]),
  },
]

/** Attributes of every resource, which schemas do not list (RFC 7643, section 3.1). */
export const COMMON: readonly Attribute[] = [
  text('schemas', 'Schemas of the resource.', {
    multiValued: true,
    mutability: 'readOnly',
    returned: 'always',
    caseExact: true,
  }),
  text('id', 'ID of the resource.', { mutability: 'readOnly', returned: 'always', caseExact: true }),
  text('externalId', 'ID of the resource at the client.', { caseExact: true }),
  complex(
    'meta',
    'Metadata of the resource.',
    [
      text('resourceType', 'Kind of the resource.', { mutability: 'readOnly', caseExact: true }),
      text('created', 'Time of the creation.', { type: 'dateTime', mutability: 'readOnly' }),
      text('lastModified', 'Time of the last change.', { type: 'dateTime', mutability: 'readOnly' }),
      text('location', 'Address of the resource.', { type: 'reference', mutability: 'readOnly', caseExact: true }),
      text('version', 'Version of the resource, as an entity tag.', { mutability: 'readOnly', caseExact: true }),
    ],
    { mutability: 'readOnly' },
  ),
]

/** A kind of resource: its core schema and the schemas that extend it. */
export interface ResourceType {
  readonly name: 'User' | 'Group'
  readonly endpoint: '/Users' | '/Groups'
  readonly description: string
  readonly core: Schema
  readonly extensions: readonly Schema[]
}

export const USERS: ResourceType = {
  name: 'User',
  endpoint: '/Users',
  description: 'User Account',
  core: USER,
  extensions: [ENTERPRISE],
}

export const GROUPS: ResourceType = {
  name: 'Group',
  endpoint: '/Groups',
  description: 'Group',
  core: GROUP,
  extensions: [],
}

/** Finds an attribute by name without regard to case (RFC 7643, section 2.1). */
export const findAttribute = (attributes: readonly Attribute[], name: string): Attribute | undefined => {
  const requested = name.toLowerCase()
  return attributes.find((attribute) => attribute.name.toLowerCase() === requested)
}

/**
 * An attribute of a resource. `extension` is the schema extension that contains the attribute, or null if it is in the
 * resource itself.
 */
export interface Place {
  readonly extension: Schema | null
  readonly attribute: Attribute
}

/** Finds the attribute of an extension by its plain name, such as `department`. */
export function placeInExtension(type: ResourceType, name: string): Place | null {
  for (const extension of type.extensions) {
    const attribute = findAttribute(extension.attributes, name)
    if (attribute !== undefined) return { extension, attribute }
  }
  return null
}

/** Finds an attribute by its name, with or without the URN of its schema. */
export function placeOf(type: ResourceType, name: string): Place | null {
  const lower = name.toLowerCase()
  for (const schema of [type.core, ...type.extensions]) {
    const prefix = schema.id.toLowerCase()
    // Entra ID separates the attribute by a dot too.
    if (!lower.startsWith(prefix) || !/^[:.]./.test(lower.slice(prefix.length))) continue
    const attribute = findAttribute(
      schema === type.core ? [...schema.attributes, ...COMMON] : schema.attributes,
      name.slice(prefix.length + 1),
    )
    return attribute === undefined ? null : { extension: schema === type.core ? null : schema, attribute }
  }
  const own = findAttribute([...COMMON, ...type.core.attributes], name)
  return own === undefined ? null : { extension: null, attribute: own }
}
