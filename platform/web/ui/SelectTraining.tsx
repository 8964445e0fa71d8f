import type { ReactNode } from 'react'
import { ALERTS } from '../../contract/words/problems.ts'
import { useMe } from '../session/me.ts'
import { useSelection } from '../navigation/useSelection.ts'
import { useOrganisations, useTrainings } from '../navigation/trainings.ts'
import { EmptyState } from './EmptyState.tsx'
import { Screen } from './Screen.tsx'
import styles from './SelectTraining.module.css'

/** Maximum number of buttons; longer lists are left to the sidebar and the command palette. */
const OFFERED = 8

/** Offers the choices, since a phone hides the sidebar. */
export function SelectTraining({ text = ALERTS.pickTraining, children }: { text?: string; children?: ReactNode }) {
  const superadmin = useMe().role === 'superadmin'
  const { organization, chooseOrganization, chooseTraining } = useSelection()
  const customers = useOrganisations(superadmin && organization === null)
  const trainings = useTrainings(organization)
  const ofCustomers = organization === null
  const names = (ofCustomers ? customers.data : trainings.data) ?? []
  return (
    <EmptyState text={text}>
      {names.length > 0 && names.length <= OFFERED && (
        <ul className={styles.names} aria-label={ofCustomers ? 'Customers' : 'Lab modules'}>
          {names.map((name) => (
            <li key={name}>
              <button
                type="button"
                className={styles.name}
                onClick={() => (ofCustomers ? chooseOrganization : chooseTraining)(name)}
              >
                {name}
              </button>
            </li>
          ))}
        </ul>
      )}
      {children}
    </EmptyState>
  )
}

export const WithoutTraining = () => (
  <Screen>
    <SelectTraining />
  </Screen>
)

export const SelectCustomer = ({ children }: { children?: ReactNode }) => (
  <SelectTraining text="Please select a customer from the sidebar.">{children}</SelectTraining>
)
