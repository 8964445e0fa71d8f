import { describe, expect, test } from 'vitest'
import { columnName, formatOf } from './columns.ts'
import { lineReader } from './read-line.ts'

type Row = Readonly<Record<string, string>>

function read(row: Row) {
  const columns = Object.keys(row).map(columnName)
  return lineReader(formatOf(columns)!, columns)(Object.values(row))
}

const GROUP = '/subscriptions/S/resourceGroups/Labs/providers'
const MACHINE = '0a1b2c3d-1111-4222-8333-944455556666'
const OTHER = 'ffffffff-1111-4222-8333-944455556666'

const AZURE: Row = {
  SubscriptionId: 'ABC',
  ResourceGroup: 'Fallback',
  Date: '11/02/2026',
  CostInBillingCurrency: '1.5',
  BillingCurrencyCode: 'inr',
  ResourceId: `${GROUP}/Microsoft.Compute/virtualMachines/vm-1`,
  Tags: '',
  ChargeType: 'Usage',
  MeterCategory: 'Virtual Machines',
  BillingPeriodStartDate: '11/01/2026',
}
const azure = (more: Row = {}) => read({ ...AZURE, ...more })

const FOCUS: Row = {
  BilledCost: '2',
  BillingCurrency: 'USD',
  BillingPeriodStart: '2026-06-01T00:00:00Z',
  ChargeCategory: 'Usage',
  ChargePeriodStart: '2026-06-03T00:00:00Z',
  ProviderName: 'Amazon Web Services',
  ResourceId: 'arn:aws:s3:::Bucket',
  ResourceType: 'Bucket',
  SubAccountId: '123456789012',
  x_ResourceGroupName: 'Group',
  ServiceName: 'S3',
  Tags: '{}',
  CommitmentDiscountStatus: 'NULL',
}
const focus = (more: Row = {}) => read({ ...FOCUS, ...more })

const AWS: Row = {
  'identity/LineItemId': 'line-1',
  'bill/BillingPeriodStartDate': '2026-03-01T00:00:00Z',
  'lineItem/UsageAccountId': '123456789012',
  'lineItem/LineItemType': 'Usage',
  'lineItem/UsageStartDate': '2026-03-04T00:00:00Z',
  'lineItem/ProductCode': 'AmazonEC2',
  'lineItem/ResourceId': 'i-0abc',
  'lineItem/CurrencyCode': 'USD',
  'lineItem/UnblendedCost': '0.0216',
}
const aws = (more: Row = {}) => read({ ...AWS, ...more })

describe('line of Azure’s export', () => {
  test('is read with its cost and resource', () => {
    expect(azure()).toEqual({
      identity: null,
      provider: 'azure',
      account: 'abc',
      period: '2026-11-01',
      day: '2026-11-02',
      kind: 'usage',
      resource: AZURE['ResourceId'],
      resourceKind: 'microsoft.compute/virtualmachines',
      resourceGroup: 'labs',
      tag: null,
      tagValue: null,
      service: 'Virtual Machines',
      cost: '1.5',
      currency: 'INR',
    })
  })

  test.each([
    ['', null, '', null],
    ['UnAssigned', null, '', null],
    [`${GROUP}/Microsoft.Sql/servers/one/databases/two`, 'itself', 'microsoft.sql/servers/databases', 'labs'],
    ['/providers/Microsoft.Capacity/reservationOrders/one', 'itself', '', 'fallback'],
  ])(
    'has for the resource %j: %s, the kind %j and the group %s',
    (ResourceId, resource, resourceKind, resourceGroup) => {
      const expected = resource === null ? null : ResourceId
      expect(azure({ ResourceId })).toMatchObject({ resource: expected, resourceKind, resourceGroup })
    },
  )

  test('has no group if neither the resource nor the export contains one', () => {
    expect(azure({ ResourceId: '/providers/x/one', ResourceGroup: '' }).resourceGroup).toBeNull()
  })

  test.each([
    ['Purchase', 'purchase'],
    ['Refund', 'credit'],
    ['Rounding Adjustment', 'adjustment'],
    ['UnusedSavingsPlan', 'unused'],
    ['Tax', 'tax'],
    ['SomethingNew', 'usage'],
  ])('with charge type %s is of kind %s', (ChargeType, kind) => {
    expect(azure({ ChargeType }).kind).toBe(kind)
  })

  test('belongs to the month of its day if no billing period is given', () => {
    expect(azure({ BillingPeriodStartDate: '' }).period).toBe('2026-11-01')
    expect(azure({ BillingPeriodStartDate: '10/15/2026' }).period).toBe('2026-10-15')
  })
})

describe('line of a FOCUS export', () => {
  test('from AWS keeps its resource and kind and has no group', () => {
    expect(focus()).toMatchObject({
      provider: 'aws',
      account: '123456789012',
      period: '2026-06-01',
      day: '2026-06-03',
      kind: 'usage',
      resource: 'arn:aws:s3:::Bucket',
      resourceKind: 'Bucket',
      resourceGroup: null,
      service: 'S3',
    })
    expect(focus({ ResourceId: 'null' }).resource).toBeNull()
  })

  test('from Azure gets kind and group from the resource ID, and the account without the prefix', () => {
    const ResourceId = `${GROUP}/Microsoft.Compute/disks/one`
    expect(focus({ ProviderName: 'Microsoft', ResourceId, SubAccountId: '/subscriptions/ABC' })).toMatchObject({
      provider: 'azure',
      account: 'abc',
      resourceKind: 'microsoft.compute/disks',
      resourceGroup: 'labs',
    })
    expect(focus({ ProviderName: 'Azure', ResourceId: 'elsewhere' }).resourceGroup).toBe('group')
  })

  test.each(['Usage', 'Purchase', 'Credit', 'Tax', 'Adjustment'])('with category %s is of that kind', (category) => {
    expect(focus({ ChargeCategory: category }).kind).toBe(category.toLowerCase())
  })

  test('for an unused commitment has its own kind, and its period defaults to the month of its day', () => {
    expect(focus({ CommitmentDiscountStatus: 'Unused' }).kind).toBe('unused')
    expect(focus({ CommitmentDiscountStatus: 'Used' }).kind).toBe('usage')
    expect(focus({ BillingPeriodStart: '', ChargePeriodStart: '2026-05-31 23:00:00' }).period).toBe('2026-05-01')
  })

  test.each([
    ['category', { ChargeCategory: 'Gift' }, 'its ChargeCategory “Gift” is not defined by FOCUS'],
    ['provider', { ProviderName: 'Oracle' }, 'its provider “Oracle” is not supported; only Azure and AWS are'],
  ])('with an unknown %s is unreadable', (_what, more: Row, reason) => {
    expect(() => focus(more)).toThrow(reason)
  })
})

describe('line of AWS’s report', () => {
  test('has its cost and resource', () => {
    expect(aws()).toMatchObject({
      provider: 'aws',
      account: '123456789012',
      period: '2026-03-01',
      day: '2026-03-04',
      kind: 'usage',
      resource: 'i-0abc',
      resourceKind: 'AmazonEC2',
      resourceGroup: null,
      service: 'AmazonEC2',
      cost: '0.0216',
      currency: 'USD',
    })
  })

  test.each([
    ['Tax', 'tax'],
    ['EdpDiscount', 'credit'],
    ['RIFee', 'purchase'],
    ['SavingsPlanNegation', 'adjustment'],
    ['DiscountedUsage', 'usage'],
  ])('with type %s is of kind %s', (type, kind) => {
    expect(aws({ 'lineItem/LineItemType': type }).kind).toBe(kind)
  })

  test('has the identity of another line only if all fields are equal, and none without an AWS ID', () => {
    expect(aws().identity).toBe(aws().identity)
    expect(aws().identity).not.toBe(aws({ 'lineItem/UnblendedCost': '0.0217' }).identity)
    expect(aws({ 'identity/LineItemId': '' }).identity).toBeNull()
  })

  test('belongs to the month of its day without a period, and to no resource if none is given', () => {
    expect(aws({ 'bill/BillingPeriodStartDate': '' }).period).toBe('2026-03-01')
    expect(aws({ 'lineItem/ResourceId': '' }).resource).toBeNull()
  })

  test('has its tags in separate columns or in a single one', () => {
    const machine = { tag: 'machine', tagValue: MACHINE }
    const columns = { 'resourceTags/user:owner': 'x', 'resourceTags/user:trainyard-machine': MACHINE }
    expect(aws(columns)).toMatchObject(machine)
    expect(aws({ ...columns, 'resourceTags/user:trainyard-machine': '' })).toMatchObject({ tag: null })
    expect(aws({ 'resourceTags/user:trainyard': '' })).toMatchObject({ tag: null })
    expect(aws({ resource_tags: `{"user_trainyard_machine":"${MACHINE}"}` })).toMatchObject(machine)
  })
})

describe('tags', () => {
  const tagsOf = (Tags: string) => {
    const { tag, tagValue } = azure({ Tags })
    return [tag, tagValue]
  }

  test.each([
    ['in braces', `{"trainyard-machine": "${MACHINE}"}`, ['machine', MACHINE]],
    ['without braces', `"a": "b","trainyard-machine": "${MACHINE.toUpperCase()}"`, ['machine', MACHINE]],
    ['cut off', `"trainyard-image": "${MACHINE}","other": "cut o`, ['image', MACHINE]],
    [
      'of a machine before those of a sandbox',
      `"trainyard-sandbox":"${OTHER}","trainyard-machine":"${MACHINE}"`,
      ['machine', MACHINE],
    ],
    ['with one invalid and one valid ID', `"trainyard-machine":"x","trainyard-sandbox":"${OTHER}"`, ['sandbox', OTHER]],
    ['of shared resources', '"trainyard": "shared"', ['shared', null]],
    ['with values that are not strings', `{"a": {"b": 1}, "trainyard-machine": "${MACHINE}"}`, ['machine', MACHINE]],
    ['without braces and with numbers', `"a": 1, "trainyard": 1`, ['shared', null]],
  ])('%s name the owner', (_how, tags, named) => {
    expect(tagsOf(tags)).toEqual(named)
  })

  test.each([
    ['no content', ''],
    ['only other tags', '{"owner": "x"}'],
    ['the portal only in a value', '{"owner": "the trainyard team"}'],
    ['an invalid ID', '{"trainyard-machine": "vm-1"}'],
    ['a JSON array', '["trainyard"]'],
  ])('with %s name no owner', (_what, tags) => {
    expect(tagsOf(tags)).toEqual([null, null])
  })
})

describe('date', () => {
  test.each([
    ['2026-02-28', '2026-02-28'],
    ['2026-02-28T23:59:59Z', '2026-02-28'],
    ['2026-02-28 00:00', '2026-02-28'],
    ['2/3/2026', '2026-02-03'],
    ['02/03/2026 00:00', '2026-02-03'],
    ['2010-01-01', '2010-01-01'],
    ['2100-12-31', '2100-12-31'],
  ])('%s is read as %s', (Date, day) => {
    expect(azure({ Date }).day).toBe(day)
  })

  test.each(['2026-02-29', '31/01/2026', '00/10/2026', '2026-1-2', '2026-01-02x', '2009-12-31', '2101-01-01'])(
    '%s is invalid',
    (Date) => {
      expect(() => azure({ Date })).toThrow(`its date “${Date}” is not a date`)
    },
  )

  test('that is missing is reported by its column name', () => {
    expect(() => azure({ Date: '' })).toThrow(/^its date is missing$/)
    expect(() => focus({ ChargePeriodStart: 'NULL' })).toThrow(/^its ChargePeriodStart is missing$/)
  })
})

describe('amount', () => {
  test.each(['0', '-1.50', '.5', '1.', '4.5E-06', '123456789012345.000000000000000000000000000001'])(
    '%s keeps its exact digits',
    (cost) => {
      expect(azure({ CostInBillingCurrency: cost }).cost).toBe(cost)
    },
  )

  test.each(['1,50', '+1', '.', '1e400', '1234567890123456', 'NaN'])('%s is rejected', (cost) => {
    expect(() => azure({ CostInBillingCurrency: cost })).toThrow(`its cost “${cost}” is not a decimal number`)
  })

  test('that is missing or without a currency is reported', () => {
    expect(() => azure({ CostInBillingCurrency: '' })).toThrow(/^its cost is missing$/)
    expect(() => azure({ BillingCurrencyCode: 'RUPEES' })).toThrow('its currency “RUPEES” is not a currency code')
  })
})

test('limits the length of names and shortens long values in messages', () => {
  const long = 'x'.repeat(2_000)
  expect(azure({ MeterCategory: long }).service).toBe(long)
  for (const bad of [`${long}x`, 'bell\u0007', 'half \ud83d pair']) {
    expect(() => azure({ MeterCategory: bad })).toThrow('its service is too long or contains invalid characters')
  }
  expect(() => azure({ Date: 'x'.repeat(40) })).toThrow(`“${'x'.repeat(40)}”`)
  expect(() => azure({ Date: 'x'.repeat(41) })).toThrow(`“${'x'.repeat(40)}…”`)
})
