import IconPlus from '@tabler/icons-react/icons/IconPlus'
import IconSearch from '@tabler/icons-react/icons/IconSearch'
import IconUpload from '@tabler/icons-react/icons/IconUpload'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useState, type ReactNode } from 'react'
import { ALERTS, EMPTY } from '@trainyard/platform/contract/words/problems.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'
import { DeleteDialog } from '@trainyard/platform/web/forms/DeleteDialog.tsx'
import { EmptyState } from '@trainyard/platform/web/ui/EmptyState.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { SidePanel } from '@trainyard/platform/web/ui/SidePanel.tsx'
import { useNow } from '@trainyard/platform/web/ui/useNow.ts'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import {
  endingWithin,
  filterUsers,
  isChanging,
  type LabUser,
  type LabUserSource,
  type Order,
  ORDERS,
  sortUsers,
} from './lab-users.ts'
import styles from './LabUsers.module.css'
import { EndedUsers } from './EndedUsers.tsx'
import { LabStatus } from './LabStatus.tsx'
import { Term } from './Term.tsx'
import { UserCard } from './UserCard.tsx'
import { UserTable } from './UserTable.tsx'

const AddUser = lazy(() => import('./AddUser.tsx'))
const RenewUser = lazy(() => import('./RenewUser.tsx'))
const BulkUsers = lazy(() => import('./bulk/BulkUsers.tsx'))

/** Poll interval in ms. MOVING_MS applies while a user or sandbox is being created or deleted. */
const MOVING_MS = 2_000
const REFRESH_MS = 20_000
const PAGE = 60
/** Maximum number of users that are shown as cards, except on a phone. */
const CARDS_MAX = 12

const ORDER_CHOICES = Object.entries(ORDERS).map(([value, label]) => ({ value, label: `Sort: ${label}` }))
const END_CHOICES = [
  { value: '', label: 'Any end' },
  { value: '0', label: 'Expired' },
  { value: '1', label: 'Ends within 1 day' },
  { value: '7', label: 'Ends within 7 days' },
  { value: '30', label: 'Ends within 30 days' },
]

interface LabUsersProps<User extends LabUser> {
  source: LabUserSource<User>
  consequences: (user: User) => ReactNode
  more?: (user: User) => ReactNode
}

export function LabUsers<User extends LabUser>({ source, consequences, more }: LabUsersProps<User>) {
  const now = useNow()
  const [toRenew, setToRenew] = useState<{ email: string; hasEnded: boolean } | null>(null)
  const renewEnded = useCallback((email: string) => setToRenew({ email, hasEnded: true }), [])
  const [toDelete, setToDelete] = useState<User | null>(null)
  const [text, setText] = useState('')
  const [order, setOrder] = useState<Order>('start')
  const [days, setDays] = useState('')
  const [shown, setShown] = useState(PAGE)
  const [opened, setOpened] = useState<string | null>(null)
  const isPhone = useMediaQuery('(max-width: 40em)', false, { getInitialValueInEffect: false })
  const list = useQuery({
    ...query(source.list),
    select: ({ users }) => users,
    refetchInterval: ({ state }) => (isChanging(state.data?.users ?? []) ? MOVING_MS : REFRESH_MS),
  })
  const ending = useMemo(
    () => endingWithin(filterUsers(list.data ?? [], text), days === '' ? null : Number(days), now),
    [list.data, text, days, now],
  )
  const found = sortUsers(ending, order)
  const isTable = list.data !== undefined && list.data.length > CARDS_MAX && !isPhone
  const inPanel = found.find(({ _id }) => _id === opened)
  const renew = useCallback(({ email }: LabUser) => setToRenew({ email, hasEnded: false }), [])
  return (
    <Screen
      actions={
        <>
          <DialogButton
            variant="default"
            icon={IconUpload}
            dialog={(close) => <BulkUsers source={source} close={close} />}
          >
            Bulk Add
          </DialogButton>
          <DialogButton icon={IconPlus} dialog={(close) => <AddUser source={source} close={close} />}>
            Add User
          </DialogButton>
        </>
      }
    >
      <Fetched query={list} failed={ALERTS.usersFailed} loading={<Skeleton rows={4} height="7rem" />}>
        {(data) =>
          data.length === 0 ? (
            <EmptyState text={EMPTY.list('User')} />
          ) : (
            <section className="stack" aria-label="Users">
              <div className={`row ${styles.bar}`}>
                <TextInput
                  className={styles.search}
                  type="search"
                  size="sm"
                  aria-label="Find a user"
                  placeholder="Search"
                  leftSection={<IconSearch size={16} aria-hidden />}
                  autoComplete="off"
                  {...controlledText(text, setText)}
                />
                <NativeSelect size="sm" aria-label="End" data={END_CHOICES} {...controlledText(days, setDays)} />
                {!isTable && (
                  <NativeSelect
                    size="sm"
                    aria-label="Sort by"
                    data={ORDER_CHOICES}
                    {...controlledText(order, setOrder)}
                  />
                )}
                <output className="dim">{countOf(found.length, 'user')}</output>
              </div>
              {isTable ? (
                <div className="beside">
                  <UserTable
                    users={ending}
                    renew={renew}
                    ask={setToDelete}
                    opened={opened}
                    open={more === undefined ? null : setOpened}
                  />
                  {inPanel && (
                    <SidePanel
                      key={inPanel._id}
                      title={inPanel.email}
                      badge={<LabStatus status={inPanel.status} />}
                      close={() => setOpened(null)}
                    >
                      <Term start={inPanel.startDate} end={inPanel.endDate} now={now} />
                      {more?.(inPanel)}
                    </SidePanel>
                  )}
                </div>
              ) : (
                <ul className={`cards ${styles.cards}`}>
                  {found.slice(0, shown).map((user) => (
                    <UserCard
                      key={user._id}
                      user={user}
                      now={now}
                      onRenew={() => renew(user)}
                      onDelete={() => setToDelete(user)}
                    >
                      {more?.(user)}
                    </UserCard>
                  ))}
                </ul>
              )}
              {!isTable && found.length > shown && (
                <Button className={styles.more} variant="default" onClick={() => setShown(shown + PAGE)}>
                  Show {Math.min(PAGE, found.length - shown)} more
                </Button>
              )}
            </section>
          )
        }
      </Fetched>
      <EndedUsers source={source} renew={renewEnded} />
      {toRenew && (
        <Suspense>
          <RenewUser {...toRenew} source={source} close={() => setToRenew(null)} />
        </Suspense>
      )}
      {toDelete && (
        <DeleteDialog
          name={toDelete.email}
          remove={() => source.remove(toDelete.email)}
          invalidates={[source.list]}
          failed={ALERTS.userDeleteFailed}
          done={ALERTS.userDeleted(toDelete.email)}
          close={() => setToDelete(null)}
        >
          {consequences(toDelete)}
        </DeleteDialog>
      )}
    </Screen>
  )
}
