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
  { value: '', label: 'As this installation has it' },
  { value: 'optional', label: 'Optional' },
  { value: 'required', label: 'Required' },
]

/** The rules by which the organisation's people sign in. */
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
              description="Of admins; from then on they have 7 days to set one up. Learners choose for themselves."
              data={RULES}
              value={shown.secondFactor}
              onChange={(event) => choose({ secondFactor: event.currentTarget.value as SecondFactorRule | '' })}
            />
            <TextInput
              label="Idle Limit (minutes)"
              description="A session that is not used for so long ends; empty: as this installation has it."
              inputMode="numeric"
              autoComplete="off"
              value={shown.idleMinutes}
              error={tried && changes === null && `Enter whole minutes, ${IDLE_MINUTES_MIN} to ${IDLE_MINUTES_MAX}.`}
              onChange={(event) => choose({ idleMinutes: event.currentTarget.value })}
            />
            <Checkbox
              label="Given passwords are changed"
              description="Who got a password from somebody else chooses their own at the first sign-in."
              checked={shown.passwordChangeRequired}
              onChange={(event) => choose({ passwordChangeRequired: event.currentTarget.checked })}
            />
            <Checkbox
              label="Sign-in with a password"
              description="Without it people sign in with the organisation’s own provider alone."
              checked={shown.passwordsAllowed}
              onChange={(event) => choose({ passwordsAllowed: event.currentTarget.checked })}
            />
          </>
        )}
      </SettingsForm>
    </Section>
  )
}
