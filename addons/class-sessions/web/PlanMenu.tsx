import IconDots from '@tabler/icons-react/icons/IconDots'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { MenuItem, PopoverMenu } from '@trainyard/platform/web/ui/PopoverMenu.tsx'

const NewSessionDialog = lazy(() => import('./sessions/NewSessionDialog.tsx'))
const WeeklyForm = lazy(() => import('./WeeklyForm.tsx'))

const FORMS = { session: 'New session', weekly: 'New Weekly Schedule' } as const
type Form = keyof typeof FORMS

/** Opens the forms for a session and for a weekly schedule. */
export default function PlanMenu() {
  const { trainingQuery } = useSelection()
  const { data } = useQuery(query(api.schedule.list, trainingQuery))
  const [form, setForm] = useState<Form | null>(null)
  if (trainingQuery === null || data === undefined) return null
  const props = { training: trainingQuery, timeZone: data.timeZone, close: () => setForm(null) }
  return (
    <>
      <PopoverMenu
        label="More to schedule"
        title="More to schedule"
        className="icon-button"
        button={<IconDots size={17} aria-hidden />}
      >
        {(close) =>
          (Object.keys(FORMS) as Form[]).map((each, index) => (
            <MenuItem
              key={each}
              label={FORMS[each]}
              may={true}
              isFirst={index === 0}
              onClick={() => {
                close()
                setForm(each)
              }}
            />
          ))
        }
      </PopoverMenu>
      <Suspense>
        {form === 'session' && <NewSessionDialog {...props} />}
        {form === 'weekly' && <WeeklyForm {...props} />}
      </Suspense>
    </>
  )
}
