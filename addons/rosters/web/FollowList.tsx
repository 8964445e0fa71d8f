import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BodyOf, ReplyOf } from '@trainyard/platform/contract/call.ts'
import { roster as rosterCalls, type RosterSource } from '../contract/roster.ts'
import { numberIn, numberOrNullIn } from '@trainyard/platform/contract/words/money.ts'
import {
  GRACE_DAYS_DEFAULT,
  MACHINE_RULE_NAMES,
  MACHINE_RULES,
  type MachineRule,
  ROSTER_KIND_TITLES,
} from '../contract/training-roster.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { allottedIn, hoursFieldValue } from '@trainyard/trainings/web/allotted.ts'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'

const NO_MACHINES = {
  machineRule: 'none',
  templateName: null,
  allottedMinutes: null,
  seats: null,
  graceDays: GRACE_DAYS_DEFAULT,
} as const

type FollowForm = {
  rules: Record<'templateName' | 'allottedMinutes' | 'seats' | 'graceDays', string> & {
    machineRule: MachineRule
    guacamole: boolean
  }
}

interface FollowListProps {
  training: TrainingQuery
  sources: readonly RosterSource[]
  current: NonNullable<ReplyOf<typeof rosterCalls.show>['roster']> | null
  close: () => void
}

/** Form for the list that a training follows, and for the rules by which machines are ordered and deleted. */
export default function FollowList({ training, sources, current, close }: FollowListProps) {
  const { organization } = useSelection()
  const [key, setKey] = useState(current === null ? keyOf(sources[0]!) : keyOf(current.source))
  const source = current?.source ?? sources.find((each) => keyOf(each) === key) ?? sources[0]!
  const form = useShapedForm<FollowForm, BodyOf<typeof rosterCalls.save>>({
    shape: rosterCalls.save.body,
    initialValues: {
      rules: {
        machineRule: current?.rules.machineRule ?? 'on_joining',
        templateName: current?.rules.templateName ?? '',
        allottedMinutes: hoursFieldValue(current?.rules.allottedMinutes ?? null),
        seats: textOf(current?.rules.seats),
        graceDays: textOf(current?.rules.graceDays ?? GRACE_DAYS_DEFAULT),
        guacamole: current?.rules.guacamole ?? true,
      },
    },
    bodyOf: ({ rules: { machineRule, templateName, allottedMinutes, seats, graceDays, guacamole } }) => ({
      ...training,
      source: { kind: source.kind, key: source.key },
      rules:
        machineRule === 'none'
          ? { ...NO_MACHINES, guacamole }
          : {
              machineRule,
              templateName,
              allottedMinutes: allottedIn(allottedMinutes),
              guacamole,
              seats: numberOrNullIn(seats),
              graceDays: numberIn(graceDays),
            },
    }),
  })
  const templates = useQuery(query(api.template.orderable, organization === null ? null : { organization }))
  const saving = useAction(api.roster.save, { invalidates: ['roster'], onDone: close })
  return (
    <FormDialog
      title={current === null ? 'Follow a List' : `Rules of ${current.source.name}`}
      submit={current === null ? 'Follow' : 'Save'}
      busy={saving.isPending && 'Saving...'}
      close={close}
      onSubmit={form.onSubmit((body) => saving.mutate(body))}
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
        {...form.getInputProps('rules.machineRule')}
      />
      {form.values.rules.machineRule !== 'none' && (
        <>
          <NativeSelect
            label="Template"
            data={[
              { value: '', label: 'Select a template' },
              ...(templates.data?.templates ?? []).map(({ name }) => ({ value: name, label: name })),
            ]}
            {...form.getInputProps('rules.templateName')}
          />
          <TextInput
            label="Hours per learner"
            description="Leave empty for no limit."
            inputMode="decimal"
            autoComplete="off"
            {...form.getInputProps('rules.allottedMinutes')}
          />
          <TextInput
            label="Seats"
            description="Most machines that this list may order. Leave empty for no limit."
            inputMode="numeric"
            autoComplete="off"
            {...form.getInputProps('rules.seats')}
          />
          <TextInput
            label="Days until the machine of a learner who left is deleted"
            description="Until then it stays stopped, and the learner gets it back by returning."
            inputMode="numeric"
            autoComplete="off"
            {...form.getInputProps('rules.graceDays')}
          />
          <Checkbox
            label="Open machines in the browser"
            {...form.getInputProps('rules.guacamole', { type: 'checkbox' })}
          />
        </>
      )}
    </FormDialog>
  )
}

const keyOf = ({ kind, key }: Pick<RosterSource, 'kind' | 'key'>): string => `${kind} ${key}`

const textOf = (value: number | null | undefined): string => String(value ?? '')
