/**
 * Modules that are loaded together are one file of the build: a request costs more than a few bytes too many. Each
 * group takes the modules that it names with all that these import, except those of a group above it. A module in no
 * group is split as the imports have it. A module of the remote page's that is missing from the first two would make it
 * load the shell, which draws itself in its place: its budget shows it.
 */
export const chunks = [
  {
    // The code that runs first and asks for all the rest; the remote page needs its calls.
    name: 'start',
    test: /virtual:calls|vite[\\/]preload-helper|web[\\/]src[\\/](?:api[\\/](?:client|connection|prefetch)|navigation[\\/](?:search|selection)|session[\\/]session|screens)\.tsx?$|[\\/]words[\\/]role\.ts$/,
  },
  {
    // The code that the remote page shares with the shell, that of its class's bar among it.
    name: 'base',
    test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]|web[\\/]src[\\/](?:api[\\/]event-stream|ui[\\/](?:Icon|NoticeBoard|notices)|shell[\\/]Logo|theme[\\/](?:scheme|tokens|base)|remote[\\/]clicked-at)\./,
  },
  { name: 'shell', test: /web[\\/]src[\\/]app\.tsx$/ },
  {
    // A table, and small things that most screens show.
    name: 'parts',
    test: /web[\\/]src[\\/](?:shell[\\/]BudgetBar\.|ui[\\/](?:access[\\/]|table[\\/]DataTable\.|(?:Bar|CopyButton|DeleteButton|EmptyState|FetchFailed|Fetched|Instant|Lamp|Reason|ReasonButton|Rupees|ScreenLink|SelectTraining|StatusBadge|Warnings)\.))/,
  },
  {
    // Else the first of the screens below would take along what all of them share.
    name: 'shared',
    test: /web[\\/]src[\\/](?:ui|api|navigation|session)[\\/]/,
    minShareCount: 5,
  },
  { name: 'hand', test: /web[\\/]src[\\/]ui[\\/]class[\\/](?:HandButton|own-class)\./ },
  {
    // Home, console and class show machines alike.
    name: 'machines',
    test: /web[\\/]src[\\/](?:ui[\\/](?:ShowAs|useTileRows|useSeconds|ready[\\/](?:ReadyNow|Others))|screens[\\/]console[\\/](?:MachineMenu|PowerButton|WebAccessButton|open-in-browser))\.|contract[\\/]src[\\/]words[\\/]operation\.ts/,
  },
  // Screens of one kind of work, which the same person opens one after the other.
  {
    name: 'money',
    test: /web[\\/]src[\\/]screens[\\/](?:invoices|supplier|ledger|account|statement|costs|budgets)[\\/][^/]*\.tsx?$/,
  },
  {
    name: 'labs',
    test: /web[\\/]src[\\/]screens[\\/](?:azure-sandbox|azure-users|aws-sandbox|aws-users)[\\/][^/]*\.tsx?$/,
  },
  {
    name: 'security',
    test: /web[\\/]src[\\/]screens[\\/](?:account-security|organisation-settings|audit)[\\/][^/]*\.tsx?$/,
  },
  {
    name: 'training',
    test: /web[\\/]src[\\/]screens[\\/](?:quota|deletelogs|deletetraining|restriction|ports|logs)[\\/][^/]*\.tsx?$/,
  },
  // Dialogs of one screen.
  {
    name: 'seats',
    test: /web[\\/]src[\\/]screens[\\/]class[\\/](?:Announce|FilesAllowed|IdleStop|Watching)\.tsx$/,
  },
  {
    name: 'panel',
    test: /web[\\/]src[\\/]screens[\\/]overview[\\/](?:AssignTemplate|CreateOrganisation|CreateTemplate|CreateUser|EditTemplate)\.tsx$/,
  },
].map((group, index, { length }) => Object.assign(group, { priority: length - index }))
