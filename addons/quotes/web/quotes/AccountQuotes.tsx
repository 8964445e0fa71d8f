import { AccountPart } from '@trainyard/payments/web/AccountPart.tsx'
import Quotes from './Quotes.tsx'

/** Quotes of the organisation whose account is shown. */
export default function AccountQuotes() {
  return <AccountPart>{({ organization, pay }) => <Quotes organization={organization} pay={pay} />}</AccountPart>
}
