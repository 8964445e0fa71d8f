/**
 * Modules that are loaded together share a file, since a request costs more than a few unneeded bytes. Each group
 * contains all imports of its modules except those of earlier groups. Without the first two, the remote page would load
 * the shell.
 */
export const chunks = [
  // The second step of the login page uses it, which must not load and start the shell.
  { name: 'passkey', test: /web[\\/]src[\\/]session[\\/]passkey-error\.ts$/ },
  {
    // Code that runs first and loads the rest; the remote page uses its calls.
    name: 'start',
    test: /virtual:calls|vite[\\/]preload-helper|web[\\/]src[\\/](?:api[\\/](?:client|connection|prefetch)|navigation[\\/](?:search|selection)|session[\\/]session|shell[\\/]load|(?:.*[\\/])?(?:[\w-]+\.)?(?:module|slots))\.ts$|apps[\\/]modules[\\/]web\.ts$|[\\/]words[\\/]role\.ts$/,
  },
  {
    // Code shared by the remote page and the shell, including that of the class bar.
    name: 'base',
    test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]|web[\\/]src[\\/](?:api[\\/](?:event-stream|usePageVisible)|ui[\\/](?:Icon|NoticeBoard|notices)|shell[\\/](?:FillsOf|Logo|modules)|theme[\\/](?:scheme|tokens|base)|machine[\\/]clicked-at)\.|[\\/]words[\\/](?:machine|watching)\.ts$/,
  },
  { name: 'shell', test: /web[\\/]src[\\/](?:app|shell[\\/]palette[\\/]PaletteKey)\.tsx$/ },
  {
    // Small components that most screens use.
    name: 'parts',
    test: /web[\\/]src[\\/](?:shell[\\/]BudgetBar\.|api[\\/]useAction\.|navigation[\\/]useSearchState\.|training[\\/](?:AccessClosed|HourAxis|DayRuler|TrainingFetchFailed|daily-window|useAccessWindow)\.|ui[\\/](?:Bar|CopyButton|EmptyState|FetchFailed|Fetched|hours|IconButtons|Instant|Lamp|Reason|ReasonButton|Rupees|ScreenLink|SelectTraining|StatusBadge|usePrinting|Warnings)\.)|node_modules[\\/]@tanstack[\\/]react-virtual/,
  },
  // The console has tables only for terminated machines.
  { name: 'table', test: /web[\\/]src[\\/]ui[\\/]table[\\/]DataTable\./ },
  {
    // Without this group, the first screen's chunk below would include what all screens share.
    name: 'shared',
    test: /web[\\/]src[\\/](?:ui|api|forms|money[\\/]tax-document|navigation|session|training)[\\/]/,
    minShareCount: 5,
  },
  { name: 'hand', test: /web[\\/]src[\\/]training[\\/](?:HandButton|PlannedStops|own-class)\./ },
  {
    name: 'machines',
    test: /web[\\/]src[\\/](?:ui[\\/](?:ViewSwitch|TileGrid|useSeconds)|training[\\/](?:ReadyNow|NotReadyList)|machine[\\/](?:Access|MachineMenu|MachineProgress|PowerButton|WebAccessButton|commands|machine-list|open-in-browser))\.|contract[\\/]src[\\/]words[\\/]operation\.ts/,
  },
  // Screens of one area, usually opened one after the other.
  {
    name: 'money',
    test: /web[\\/]src[\\/](?:money|screens[\\/](?:invoices|supplier|ledger|account|statement|costs|budgets))[\\/][^/]*\.tsx?$/,
  },
  {
    name: 'labs',
    test: /web[\\/]src[\\/]screens[\\/](?:azure-sandbox|azure-users|aws-sandbox|aws-users)[\\/][^/]*\.tsx?$/,
  },
  {
    name: 'security',
    test: /web[\\/]src[\\/]screens[\\/](?:(?:account-security|organisation-settings|audit)[\\/][^/]*\.tsx?|lms[\\/]ConnectSection\.tsx)$/,
  },
  {
    name: 'training',
    test: /web[\\/]src[\\/]screens[\\/](?:quota|deletelogs|deletetraining|restriction|ports|logs)[\\/][^/]*\.tsx?$/,
  },
  {
    name: 'seats',
    test: /web[\\/]src[\\/]screens[\\/]class[\\/](?:FilesAllowed|IdleStop|Watching)\.tsx$/,
  },
  {
    name: 'palette',
    test: /web[\\/]src[\\/](?:shell[\\/]palette[\\/]Palette|.*[\\/]palette)\.tsx?$/,
  },
  {
    name: 'panel',
    test: /web[\\/]src[\\/]screens[\\/]overview[\\/](?:AssignTemplate|CreateOrganisation|CreateTemplate|CreateUser|EditTemplate)\.tsx$/,
  },
  // Screens with what others put into them.
  {
    name: 'home',
    test: /web[\\/]src[\\/]screens[\\/]home[\\/](?:Home|NextClass|PlannedTime|DemoClassCard)\.tsx$/,
  },
  {
    name: 'counts',
    test: /web[\\/]src[\\/]screens[\\/]dashboard[\\/](?:Dashboard|Openings)\.tsx$/,
  },
  {
    name: 'overview',
    test: /web[\\/]src[\\/]screens[\\/]overview[\\/](?:Overview|FactorResets|ImageChoice)\.tsx$/,
  },
  {
    name: 'schedules',
    test: /web[\\/]src[\\/]screens[\\/]scheduler[\\/](?:Scheduler|ReadyBy|Weekly)\.tsx$/,
  },
  // Dialogs of one screen.
  {
    name: 'class',
    test: /web[\\/]src[\\/](?:screens[\\/]class[\\/](?:EarlyStart|Invitations|OpenTraining|SeatDialog)|training[\\/](?:Announce|StopAll|StartMachines))\.tsx$/,
  },
  {
    name: 'asking',
    test: /web[\\/]src[\\/]screens[\\/]requests[\\/]Ask(?:Quota|Form|Hours|Admin)\.tsx$/,
  },
  {
    name: 'changes',
    test: /web[\\/]src[\\/]machine[\\/](?:DeleteMachine|ResetMachine)\.tsx$/,
  },
  {
    name: 'endpoints',
    test: /web[\\/]src[\\/]screens[\\/]webhooks[\\/](?:DeliveryDialog|ResendForm|EndpointForm)\.tsx$/,
  },
  {
    name: 'move',
    test: /web[\\/]src[\\/]screens[\\/]lab-import[\\/](?:Connect|CutOver)\.tsx$/,
  },
  {
    name: 'document',
    test: /web[\\/]src[\\/]screens[\\/]invoice[\\/](?:Register|CancelDocument|Note)\.tsx$/,
  },
  {
    name: 'platforms',
    test: /web[\\/]src[\\/]screens[\\/]lms[\\/](?:AddLms|EditLms)\.tsx$/,
  },
].map((group, index, { length }) => Object.assign(group, { priority: length - index }))

/**
 * Leaves the chunks of the application out of what a file of the application loads before a dynamic import: app.html has
 * loaded them. Listing them for each import would take 1.5 kB.
 */
export const withoutApplication = (_: string, files: string[], { hostId }: { hostId: string }): string[] =>
  /\/(?:app|remote|Desktop|secondStep|passkey)-/.test(hostId)
    ? files
    : files.filter((file) => !/\/(?:rolldown-runtime|start|base|shell)-/.test(file))
