import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import { useState } from 'react'
import { IDLE_MINUTES_MAX, IDLE_MINUTES_MIN, type SecondFactorRule } from '@trainyard/contract/words/sign-in.ts'
import { api } from '#src/api/client.ts'
import type { Settings } from './profile-form.ts'
import { Section } from '#src/forms/Section.tsx'
import { chosenOf, securityChanges, type ChosenSecurity } from './security-form.ts'
import { SettingsForm } from '#src/forms/SettingsForm.tsx'

const RULES = [
  { value: '', label: 'Installation default' },
  { value: 'optional', label: 'Optional' },
  { value: 'required', label: 'Required' },
]

export function Security({ settings }: { settings: Settings }) {
  const [chosen, setChosen] = useState<Partial<ChosenSecurity>>({})
  const shown = { ...chosenOf(settings), ...chosen }
  const changes = securityChanges(settings, shown)
  const choose = (choice: Partial<ChosenSecurity>) => setChosen((now) => ({ ...now, ...choice }))
  return (
    <Section title="Security">
      <SettingsForm
        submit="Save Security"
        changes={changes}
        send={(named) => api.organisation.changeSecurity({ organization: settings.name, ...named })}
        saved={() => setChosen({})}
      >
        {(tried) => (
          <>
            <NativeSelect
              label="Second Factor"
              description="For admins, who then have 7 days to set one up. Optional for learners."
              data={RULES}
              value={shown.secondFactor}
              onChange={(event) => choose({ secondFactor: event.currentTarget.value as SecondFactorRule | '' })}
            />
            <TextInput
              label="Idle Limit (minutes)"
              description="A session ends after this time without use. Leave empty for the installation default."
              inputMode="numeric"
              autoComplete="off"
              value={shown.idleMinutes}
              error={tried && changes === null && `Enter whole minutes, ${IDLE_MINUTES_MIN} to ${IDLE_MINUTES_MAX}.`}
              onChange={(event) => choose({ idleMinutes: event.currentTarget.value })}
            />
            <Checkbox
              label="Assigned passwords must be changed"
              description="Users whose password was set by someone else choose a new one at the first sign-in."
              checked={shown.passwordChangeRequired}
              onChange={(event) => choose({ passwordChangeRequired: event.currentTarget.checked })}
            />
            <Checkbox
              label="Sign-in with a password"
              description="If it is off, users can sign in only with the organisation’s own provider."
              checked={shown.passwordsAllowed}
              onChange={(event) => choose({ passwordsAllowed: event.currentTarget.checked })}
            />
          </>
        )}
      </SettingsForm>
    </Section>
  )
}
