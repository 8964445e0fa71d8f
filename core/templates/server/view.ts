import type { z } from 'zod'
import type { templateSchema } from '../contract/template.ts'
import { rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import type { TemplateRow } from '../tables.gen.ts'

/**
 * Columns of a template, without the provider settings such as region and network, which only superadmins may see.
 */
export const TEMPLATE_COLUMNS = [
  'template.name',
  'template.rate_paise',
  'template.cpu',
  'template.memory',
  'template.os',
  'template.storage',
  'template.disk',
  'template.licence',
  'template.size_name',
  'template.refusal',
] as const

type ShownTemplate = Pick<
  TemplateRow,
  'name' | 'rate_paise' | 'cpu' | 'memory' | 'os' | 'storage' | 'disk' | 'licence' | 'size_name' | 'refusal'
>

export const templateViewOf = (row: ShownTemplate): z.output<typeof templateSchema> => ({
  name: row.name,
  rate: rupeesOfPaise(row.rate_paise),
  display: { cpu: row.cpu, memory: row.memory, os: row.os, storage: row.storage, disk: row.disk },
  creation: { licence: row.licence, os: row.os, vmSize: row.size_name },
  refusal: row.refusal,
})
