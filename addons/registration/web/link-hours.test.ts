import { testTypedAmounts } from '@trainyard/platform/web/forms/test-typed-amounts.ts'
import { linkOf } from './link-form.ts'

const link = { name: 'Link', seats: '30', opensAt: '', closesAt: '', domains: '', template: 'Card', hours: '' }

testTypedAmounts({
  'hours of a registration link': (hours) => {
    const { settings, problems } = linkOf(
      { ...link, hours },
      { needsApproval: false, guacamole: true, timeZone: 'Asia/Kolkata' },
    )
    return problems?.hours ?? settings?.machine?.allocatedHours
  },
})
