import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { roster, RosterSource } from '../contract/roster.ts'
import {
  GRACE_DAYS_DEFAULT,
  GRACE_DAYS_MAX,
  MACHINE_RULE_NAMES,
  MACHINE_RULES,
  type MachineRule,
  ROSTER_KIND_TITLES,
  SEATS_MAX,
} from '../contract/training-roster.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { allottedOf, hoursFieldValue } from '@trainyard/trainings/web/allotted.ts'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledCheck, controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'

interface FollowListProps {
  training: TrainingQuery
  sources: readonly RosterSource[]
  current: NonNullable<ReplyOf<typeof roster.show>['roster']> | null
  close: () => void
}

/** Form for the list that a training follows, and for the rules by which machines are ordered and deleted. */
export default function FollowList({ training, sources, current, close }: FollowListProps) {
  const { organization } = useSelection()
  const [key, setKey] = useState(current === null ? keyOf(sources[0]!) : keyOf(current.source))
  const [rule, setRule] = useState<MachineRule>(current?.rules.machineRule ?? 'on_joining')
  const [template, setTemplate] = useState(current?.rules.templateName ?? '')
  const [hours, setHours] = useState(hoursFieldValue(current?.rules.allottedMinutes ?? null))
  const [seats, setSeats] = useState(textOf(current?.rules.seats))
  const [days, setDays] = useState(textOf(current?.rules.graceDays ?? GRACE_DAYS_DEFAULT))
  const [browser, setBrowser] = useState(current?.rules.guacamole ?? true)
  const [tried, setTried] = useState(false)
  const templates = useQuery(query(api.template.orderable, organization === null ? null : { organization }))
  const saving = useAction(api.roster.save, { invalidates: ['roster'], onDone: close })
  const source = current?.source ?? sources.find((each) => keyOf(each) === key)
  const allotted = allottedOf(hours)
  const problems = {
    template: template === '' && 'Select a template.',
    hours: 'problem' in allotted && allotted.problem,
    seats: seats !== '' && !isWhole(seats, 1, SEATS_MAX) && `Enter a whole number up to ${SEATS_MAX}.`,
    days: !isWhole(days, 0, GRACE_DAYS_MAX) && `Enter a whole number of days up to ${GRACE_DAYS_MAX}.`,
  }
  const hasProblem = rule !== 'none' && Object.values(problems).some((problem) => problem !== false)
  return (
    <FormDialog
      title={current === null ? 'Follow a List' : `Rules of ${current.source.name}`}
      submit={current === null ? 'Follow' : 'Save'}
      busy={saving.isPending && 'Saving...'}
      close={close}
      onSubmit={() => {
        setTried(true)
        if (source === undefined || hasProblem) return
        saving.mutate({
          ...training,
          source: { kind: source.kind, key: source.key },
          rules: {
            machineRule: rule,
            templateName: rule === 'none' ? null : template,
            allottedMinutes: rule === 'none' || 'problem' in allotted ? null : allotted.minutes,
            guacamole: browser,
            seats: rule === 'none' || seats === '' ? null : Number(seats),
            graceDays: rule === 'none' ? GRACE_DAYS_DEFAULT : Number(days),
          },
        })
      }}
    >
      {current === null && (
        <NativeSelect
          data-autofocus
          label="List"
          description="The learners of this training will be the members of this list."
          data={sources.map((each) => ({
            value: keyOf(each),
            label: `${each.name} (${ROSTER_KIND_TITLES[each.kind].toLowerCase()}, ${countOf(each.members, 'member')})`,
          }))}
          {...controlledText(key, setKey)}
        />
      )}
      <NativeSelect
        label="Machines"
        data={MACHINE_RULE_NAMES.map((value) => ({ value, label: MACHINE_RULES[value] }))}
        {...controlledText(rule, setRule)}
      />
      {rule !== 'none' && (
        <>
          <NativeSelect
            label="Template"
            data={[
              { value: '', label: 'Select a template' },
              ...(templates.data?.templates ?? []).map(({ name }) => ({ value: name, label: name })),
            ]}
            error={tried && problems.template}
            {...controlledText(template, setTemplate)}
          />
          <TextInput
            label="Hours per learner"
            description="Leave empty for no limit."
            inputMode="decimal"
            autoComplete="off"
            error={tried && problems.hours}
            {...controlledText(hours, setHours)}
          />
          <TextInput
            label="Seats"
            description="Most machines that this list may order. Leave empty for no limit."
            inputMode="numeric"
            autoComplete="off"
            error={tried && problems.seats}
            {...controlledText(seats, setSeats)}
          />
          <TextInput
            label="Days until the machine of a learner who left is deleted"
            description="Until then it stays stopped, and the learner gets it back by returning."
            inputMode="numeric"
            autoComplete="off"
            error={tried && problems.days}
            {...controlledText(days, setDays)}
          />
          <Checkbox label="Open machines in the browser" {...controlledCheck(browser, setBrowser)} />
        </>
      )}
    </FormDialog>
  )
}

const keyOf = ({ kind, key }: Pick<RosterSource, 'kind' | 'key'>): string => `${kind} ${key}`

const textOf = (value: number | null | undefined): string => String(value ?? '')

const isWhole = (entered: string, from: number, to: number): boolean =>
  /^\d{1,6}$/.test(entered.trim()) && Number(entered) >= from && Number(entered) <= to
