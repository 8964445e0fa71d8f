import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { price } from '../contract/price.ts'
import { formatRupees, numberProblem, parseRupees } from '@trainyard/platform/contract/words/money.ts'
import { PRICE_KIND_LABELS, PRICE_KINDS, type PriceKind } from '../contract/price-words.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'
import { controlledCheck, typedFields } from '@trainyard/platform/web/ui/typed-fields.tsx'

type PriceList = ReplyOf<typeof price.list>

interface SetPriceProps extends Pick<PriceList, 'prices' | 'today'> {
  organization: string
  items: NonNullable<PriceList['items']>
  close: () => void
}

export default function SetPrice({ organization, items, prices, today, close }: SetPriceProps) {
  const [entered, setEntered] = useState(() => ({
    kind: 'template' as string,
    item: items.templates[0]?.item ?? '',
    rate: '',
    from: dayAfter(today),
  }))
  const [isGeneral, setIsGeneral] = useState(false)
  const [tried, setTried] = useState(false)
  const setting = useDialogSubmit(
    (body: Parameters<typeof api.price.set>[0], options) => api.price.set(body, options),
    ['price', 'template'],
    close,
  )
  const kind = entered.kind as PriceKind
  const names = {
    template: items.templates.map(({ item }) => item),
    size: items.sizes,
    licence: items.licences,
  }
  const rate = parseRupees(entered.rate)
  const priceInForce = prices.find((row) => row.kind === kind && row.item === entered.item && row.state === 'in force')
  const hasPrice = prices.some((row) => row.kind === kind && row.item === entered.item && row.paisePerHour !== null)
  const problems = {
    kind: false as const,
    item: entered.item === '' && 'Select an item.',
    rate:
      !isGeneral &&
      (rate === null || rate < 0 || rate > 100_000) &&
      numberProblem(entered.rate, 'Enter rupees between 0 and 1,00,000 with at most two decimals.'),
    from:
      entered.from === ''
        ? ALERTS.dateRequired
        : entered.from < today && `Select ${formatDate(today)} or a later day: earlier usage keeps its price.`,
  }
  const field = typedFields(entered, setEntered, tried ? problems : null)
  const submit = () => {
    setTried(true)
    if (Object.values(problems).every((problem) => problem === false))
      setting.mutate({
        organization,
        kind,
        item: entered.item,
        rate: isGeneral && hasPrice ? null : rate,
        from: entered.from,
      })
  }
  return (
    <FormDialog
      title={`Price of ${organization}`}
      submit="Set Price"
      busy={setting.isPending && 'Saving...'}
      onSubmit={submit}
      close={close}
    >
      <NativeSelect
        data-autofocus
        label="For"
        data={PRICE_KINDS.map((value) => ({ value, label: PRICE_KIND_LABELS[value] }))}
        value={kind}
        onChange={({ currentTarget: { value } }) => {
          setEntered((now) => ({ ...now, kind: value, item: names[value as PriceKind][0] ?? '' }))
          setIsGeneral(false)
        }}
      />
      <NativeSelect label="Name" data={names[kind]} {...field('item')} />
      <p className="dim">{currentPriceText(items, kind, entered.item, priceInForce?.paisePerHour ?? null)}</p>
      <TextInput
        label="Price per Hour (₹)"
        description="Before tax, without browser access."
        inputMode="decimal"
        autoComplete="off"
        maxLength={12}
        disabled={isGeneral}
        {...field('rate')}
      />
      {hasPrice && <Checkbox label="The general price applies again" {...controlledCheck(isGeneral, setIsGeneral)} />}
      <TextInput
        label="From"
        type="date"
        min={today}
        description="From the start of this day in India."
        {...field('from')}
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
