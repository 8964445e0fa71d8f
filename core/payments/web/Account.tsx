import { accountSections } from '@trainyard/ledger/web/slots.ts'
import { useSections } from '@trainyard/platform/web/shell/Fills.tsx'
import { Entries } from '@trainyard/ledger/web/Entries.tsx'
import { Figures } from '@trainyard/ledger/web/Figures.tsx'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { AccountPart, type Part } from './AccountPart.tsx'

export default function Account() {
  return <AccountPart>{(part) => <Transactions {...part} />}</AccountPart>
}

function Transactions({ organization, account, pay }: Part) {
  const sections = useSections(accountSections, { organization })
  const { pages } = account.data!
  const { role } = useMe()
  return (
    <>
      <Figures legal={pages[0]!.legal} whose={role === 'superadmin' ? { organization } : {}} />
      <Entries
        pages={pages}
        more={account.hasNextPage}
        fetching={account.isFetchingNextPage}
        fetchMore={() => void account.fetchNextPage()}
      />
      {sections({ organization, pay })}
    </>
  )
}
