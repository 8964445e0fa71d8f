import { DateField } from '@trainyard/platform/web/ui/DateField.tsx'
import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { BodyOf, ReplyOf } from '@trainyard/platform/contract/call.ts'
import { price as priceCalls } from '../contract/price.ts'
import { formatRupees, rupeesIn } from '@trainyard/platform/contract/words/money.ts'
import { PRICE_KIND_LABELS, PRICE_KINDS, type PriceKind } from '../contract/price-words.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { dayOrElse } from '@trainyard/platform/contract/shapes.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'
import { controlledCheck } from '@trainyard/platform/web/ui/typed-fields.tsx'

type PriceList = ReplyOf<typeof priceCalls.list>

type PriceForm = Record<'item' | 'rate' | 'from', string> & { readonly kind: PriceKind }

interface SetPriceProps extends Pick<PriceList, 'prices' | 'today'> {
  organization: string
  items: NonNullable<PriceList['items']>
  close: () => void
}

export default function SetPrice({ organization, items, prices, today, close }: SetPriceProps) {
  const setting = useDialogSubmit(
    (body: Parameters<typeof api.price.set>[0], options) => api.price.set(body, options),
    ['price', 'template'],
    close,
  )
  const hasPrice = (of: { readonly kind: PriceKind; readonly item: string }) =>
    prices.some((row) => row.kind === of.kind && row.item === of.item && row.paisePerHour !== null)
  const [isGeneral, setIsGeneral] = useState(false)
  const form = useShapedForm<PriceForm, BodyOf<typeof priceCalls.set>>({
    shape: priceCalls.set.body.extend({
      from: dayOrElse(ALERTS.dateRequired).refine(
        (from) => from >= today,
        `Select ${formatDate(today)} or a later day: earlier usage keeps its price.`,
      ),
    }),
    initialValues: {
      kind: PRICE_KINDS[0],
      item: items.templates[0]?.item ?? '',
      rate: '',
      from: dayAfter(today),
    },
    bodyOf: (entered) => ({
      ...entered,
      organization,
      rate: isGeneral && hasPrice(entered) ? null : rupeesIn(entered.rate),
    }),
  })
  const { kind, item } = form.values
  const names = {
    template: items.templates.map((template) => template.item),
    size: items.sizes,
    licence: items.licences,
  }
  const priceInForce = prices.find((row) => row.kind === kind && row.item === item && row.state === 'in force')
  return (
    <FormDialog
      title={`Price of ${organization}`}
      submit="Set Price"
      busy={setting.isPending && 'Saving...'}
      onSubmit={form.onSubmit((body) => setting.mutate(body))}
      close={close}
    >
      <NativeSelect
        data-autofocus
        label="For"
        data={PRICE_KINDS.map((value) => ({ value, label: PRICE_KIND_LABELS[value] }))}
        value={kind}
        onChange={({ currentTarget: { value } }) => {
          form.setValues({ kind: value as PriceKind, item: names[value as PriceKind][0] ?? '' })
          setIsGeneral(false)
        }}
      />
      <NativeSelect label="Name" data={names[kind]} {...form.getInputProps('item')} />
      <p className="dim">{currentPriceText(items, kind, item, priceInForce?.paisePerHour ?? null)}</p>
      <TextInput
        label="Price per Hour (₹)"
        description="Before tax, without browser access."
        inputMode="decimal"
        autoComplete="off"
        disabled={isGeneral}
        {...form.getInputProps('rate')}
      />
      {hasPrice({ kind, item }) && (
        <Checkbox label="The general price applies again" {...controlledCheck(isGeneral, setIsGeneral)} />
      )}
      <DateField
        label="From"
        min={today}
        description="From the start of this day in India."
        {...form.getInputProps('from')}
      />
    </FormDialog>
  )
}

function currentPriceText(items: SetPriceProps['items'], kind: PriceKind, item: string, own: number | null): string {
  if (own !== null) return `At present: ${formatRupees(own / 100)} per hour.`
  if (kind !== 'template') return 'At present: included in the price of the card.'
  const general = items.templates.find((each) => each.item === item)
  return general === undefined
    ? ''
    : `At present: the general price, ${formatRupees(general.paisePerHour / 100)} per hour.`
}

function dayAfter(day: string): string {
  const date = new Date(`${day}T00:00Z`)
  date.setUTCDate(date.getUTCDate() + 1)
  return date.toISOString().slice(0, 10)
}
