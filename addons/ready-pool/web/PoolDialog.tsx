import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import { useQuery } from '@tanstack/react-query'
import { type Pool, readyPool } from '../contract/ready-pool.ts'
import { READY_MACHINES_MAX } from '../contract/ready-pool-words.ts'
import { hourlyPrice } from '@trainyard/machines/web/price.ts'
import {
  numberIn,
  BROWSER_ACCESS_SURCHARGE,
  formatRupees,
  rupeesOfPaise,
} from '@trainyard/platform/contract/words/money.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { WaitingCost } from './WaitingCost.tsx'

interface PoolDialogProps {
  training: TrainingQuery
  pool: Pool | null
  close: () => void
}

export default function PoolDialog({ training, pool, close }: PoolDialogProps) {
  const { organization } = useSelection()
  const templates = useQuery({
    ...query(api.template.orderable, organization === null ? null : { organization }),
    select: (reply) => reply.templates,
  })
  const lastOrder = useQuery({ ...query(api.machine.lastOrder, training), select: (reply) => reply.lastOrder })
  if (templates.data === undefined || lastOrder.data === undefined) return null
  return <PoolForm training={training} pool={pool} close={close} templates={templates.data} last={lastOrder.data} />
}

type PoolFormProps = PoolDialogProps & {
  templates: readonly { readonly name: string; readonly rate: number }[]
  last: { readonly templateName: string; readonly guacamole: boolean } | null
}

function PoolForm({ training, pool, close, templates, last }: PoolFormProps) {
  const saving = useDialogSubmit(api.readyPool.set, ['readyPool'], close)
  const names = templates.map(({ name }) => name)
  const like = [pool?.templateName, last?.templateName].find((name) => name != null && names.includes(name))
  const form = useShapedForm({
    shape: readyPool.set.body,
    initialValues: {
      templateName: like ?? names[0] ?? '',
      machines: String(pool?.machines ?? 2),
      power: pool?.power ?? 'running',
      guacamole: pool?.guacamole ?? last?.guacamole ?? true,
    },
    bodyOf: ({ machines, ...entered }) => ({ ...training, ...entered, machines: numberIn(machines) }),
  })
  const { templateName, machines, power, guacamole } = form.getTransformedValues()
  const isCount = Number.isInteger(machines) && machines > 0 && machines <= READY_MACHINES_MAX
  const rate = templates.find(({ name }) => name === templateName)?.rate ?? 0
  const rupeesPerHour = isCount && power === 'running' ? hourlyPrice(rate, machines, guacamole) : 0
  return (
    <FormDialog
      title="Keep machines ready"
      submit={isCount ? `Keep ${countOf(machines, 'machine')} ready` : 'Keep machines ready'}
      busy={saving.isPending && 'Saving...'}
      onSubmit={form.onSubmit((body) => saving.mutate(body))}
      close={close}
    >
      <TextInput
        data-autofocus
        label="Machines"
        description={`At most ${READY_MACHINES_MAX}.`}
        inputMode="numeric"
        autoComplete="off"
        {...form.getInputProps('machines')}
      />
      <NativeSelect label="Template" data={names} {...form.getInputProps('templateName')} />
      <NativeSelect
        label="While they wait"
        data={[
          { value: 'running', label: 'Running: usable at once' },
          { value: 'stopped', label: 'Stopped: started when ordered' },
        ]}
        {...form.getInputProps('power')}
      />
      <Checkbox
        label="Access in the browser"
        description={`${formatRupees(rupeesOfPaise(BROWSER_ACCESS_SURCHARGE))} more per hour for each. Only orders with the same choice get these machines.`}
        {...form.getInputProps('guacamole', { type: 'checkbox' })}
      />
      <WaitingCost paisePerHour={Math.round(rupeesPerHour * 100)} />
    </FormDialog>
  )
}
