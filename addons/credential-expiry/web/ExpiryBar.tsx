import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { EXPIRY_ADVICE, EXPIRY_WARNINGS, expiryText, expiryWarning } from '@trainyard/lab-users/contract/expiry.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import styles from '@trainyard/platform/web/shell/Bar.module.css'

const REFRESH_MS = 10 * 60_000
const HIDDEN = 'hidden-expiry'

/** Warning that a credential of the portal expires. After the user hides the bar, the next warning shows it again. */
export default function ExpiryBar() {
  const { data } = useQuery({ ...query(api.home.expiring), refetchInterval: REFRESH_MS })
  const [hidden, setHidden] = useState(() => localStorage.getItem(HIDDEN))
  const due = (data?.credentials ?? []).flatMap((one) => {
    const warning = expiryWarning(one.days)
    return warning === null ? [] : [{ ...one, warning, key: `${one.name} ${one.endsOn} ${warning}` }]
  })
  const first = due[0]
  if (first === undefined || first.key === hidden) return null
  const next = EXPIRY_WARNINGS[EXPIRY_WARNINGS.indexOf(first.warning) + 1]
  const hide = () => {
    localStorage.setItem(HIDDEN, first.key)
    setHidden(first.key)
  }
  return (
    <div role={next === undefined ? 'alert' : 'status'} className={`${styles.bar} no-print`}>
      {expiryText(first.name, first.days, first.endsOn)} Without it the portal cannot sign in to Azure. {EXPIRY_ADVICE}{' '}
      {next !== undefined && (
        <Button size="compact-sm" variant="default" onClick={hide}>
          Hide until {next === 1 ? 'the last day' : `${next} days before`}
        </Button>
      )}
    </div>
  )
}
