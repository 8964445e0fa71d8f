import { fill, webModule } from '#src/shell/module.ts'
import { organisationSections } from '#src/screens/organisation-settings/slots.ts'

export const quotes = webModule({
  name: 'quotes',
  fills: [
    fill(organisationSections, 40, () => import('#src/screens/organisation-settings/Prices.tsx'), { lazy: true }),
  ],
})
