// Generated from docs/openapi.json by `npm run generate -w cli`.
export interface paths {
    "/api/user/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the API key of the request: its scopes, its expiry, and the user for whom it acts.
         * @description Returns the API key of the request: its scopes, its expiry, and the user for whom it acts.
         *
         *     Every API key may make this call.
         */
        get: operations["getKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/organization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the names of all organisations in alphabetical order.
         * @description Lists the names of all organisations in alphabetical order.
         *
         *     Scope: `organisation:read`.
         */
        get: operations["listOrganisations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists an organisation's users, sorted by e-mail address.
         * @description Lists an organisation's users, sorted by e-mail address.
         *
         *     Scope: `people:read`.
         */
        get: operations["listPeople"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/azure/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the templates that an organisation can order from.
         * @description Lists the templates that an organisation can order from.
         *
         *     Scope: `template:read`.
         */
        get: operations["listTemplates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/azure/trainingName": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists an organisation's trainings.
         * @description Lists an organisation's trainings. Users get only those in which they have a machine or are an instructor.
         *
         *     Scope: `training:read`.
         */
        get: operations["listTrainings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/azure/machines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists a training's machines.
         * @description Lists a training's machines. Users get only the machines assigned to them.
         *
         *     Scope: `machine:read`.
         */
        get: operations["listMachines"];
        put?: never;
        /**
         * Orders one machine from a template for each e-mail address.
         * @description Orders one machine from a template for each e-mail address. A new training name creates the training.
         *
         *     Scope: `order:create`.
         */
        post: operations["createOrder"];
        /**
         * Deletes the given machines and all their resources, all or none.
         * @description Deletes the given machines and all their resources, all or none. They stay listed as terminated, with their cost.
         *
         *     Scope: `machine:delete`.
         */
        delete: operations["deleteMachines"];
        options?: never;
        head?: never;
        /**
         * Starts (operation 1) or stops (operation 0) the given machines, all or none.
         * @description Starts (operation 1) or stops (operation 0) the given machines, all or none. With the header, a stop is delayed for a few seconds, during which it can be undone.
         *
         *     Scope: `machine:power`.
         */
        patch: operations["powerMachines"];
        trace?: never;
    };
    "/api/azure/machinesRestart": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Restarts the given running machines, all or none.
         * @description Restarts the given running machines, all or none.
         *
         *     Scope: `machine:power`.
         */
        patch: operations["restartMachines"];
        trace?: never;
    };
    "/api/azure/machinesReset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Recreates the given machines as they were ordered, with new disks, all or none.
         * @description Recreates the given machines as they were ordered, with new disks, all or none. Learner and used hours stay.
         *
         *     Scope: `machine:reset`.
         */
        patch: operations["resetMachines"];
        trace?: never;
    };
    "/api/azure/machinesLearner": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Reassigns a machine to another learner of the organisation and changes its password.
         * @description Reassigns a machine to another learner of the organisation and changes its password. The previous learner loses access.
         *
         *     Scope: `machine:assign`.
         */
        patch: operations["handOverMachine"];
        trace?: never;
    };
    "/api/azure/lastOrder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a training's latest order as the default for the next one, or null if there is none.
         * @description Returns a training's latest order as the default for the next one, or null if there is none.
         *
         *     Scope: `order:read`.
         */
        get: operations["getLastOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/azure/operations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a machine's latest operations with the times of their steps, and how long its terminal or desktop took to open in browsers, newest first.
         * @description Returns a machine's latest operations with the times of their steps, and how long its terminal or desktop took to open in browsers, newest first.
         *
         *     Scope: `machine:read`.
         */
        get: operations["listOperations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/azure/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists a training's schedules in chronological order, with their results.
         * @description Lists a training's schedules in chronological order, with their results.
         *
         *     Scope: `schedule:read`.
         */
        get: operations["listSchedules"];
        put?: never;
        /**
         * Creates schedules that start or stop a training's machines, and sets or removes its access window.
         * @description Creates schedules that start or stop a training's machines, and sets or removes its access window.
         *
         *     Scope: `schedule:write`.
         */
        post: operations["createSchedule"];
        /**
         * Cancels a pending schedule, or removes a completed one from the list.
         * @description Cancels a pending schedule, or removes a completed one from the list.
         *
         *     Scope: `schedule:write`.
         */
        delete: operations["deleteSchedule"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/azure/schedules/weekly": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists a training's weekly schedules with their next ten runs, and the last day of the training.
         * @description Lists a training's weekly schedules with their next ten runs, and the last day of the training.
         *
         *     Scope: `schedule:read`.
         */
        get: operations["listWeeklySchedules"];
        put?: never;
        /**
         * Creates a weekly schedule that starts or stops a training's machines on given weekdays until a date.
         * @description Creates a weekly schedule that starts or stops a training's machines on given weekdays until a date.
         *
         *     Scope: `schedule:write`.
         */
        post: operations["createWeeklySchedule"];
        /**
         * Deletes a weekly schedule and its future runs.
         * @description Deletes a weekly schedule and its future runs. Completed runs stay listed.
         *
         *     Scope: `schedule:write`.
         */
        delete: operations["deleteWeeklySchedule"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/azure/readyBy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the times at which a training's machines must be ready, and how many are ready.
         * @description Lists the times at which a training's machines must be ready, and how many are ready.
         *
         *     Scope: `schedule:read`.
         */
        get: operations["listReadyTimes"];
        put?: never;
        /**
         * Schedules a training's machines to be started early enough to be ready at the given time.
         * @description Schedules a training's machines to be started early enough to be ready at the given time.
         *
         *     Scope: `schedule:write`.
         */
        post: operations["planReadyTime"];
        /**
         * Cancels a ready time.
         * @description Cancels a ready time. Machines that were already started keep running.
         *
         *     Scope: `schedule:write`.
         */
        delete: operations["cancelReadyTime"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/azure/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists a training's sessions between two days, with the other events and the holidays of these days.
         * @description Lists a training's sessions between two days, with the other events and the holidays of these days.
         *
         *     Scope: `schedule:read`.
         */
        get: operations["listClassSessions"];
        put?: never;
        /**
         * Creates one session or a weekly class, with ready times, power on, shut down and, if requested, the access window.
         * @description Creates one session or a weekly class, with ready times, power on, shut down and, if requested, the access window.
         *
         *     Scope: `schedule:write`.
         */
        post: operations["createClassSession"];
        /**
         * Cancels one session, or it and all following sessions of its weekly class.
         * @description Cancels one session, or it and all following sessions of its weekly class.
         *
         *     Scope: `schedule:write`.
         */
        delete: operations["deleteClassSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/azure/ports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the open ports of a training in ascending order, and whether they are in effect at the provider.
         * @description Lists the open ports of a training in ascending order, and whether they are in effect at the provider.
         *
         *     Scope: `port:read`.
         */
        get: operations["listPorts"];
        put?: never;
        /**
         * Opens a port on every machine of a training, including machines ordered later.
         * @description Opens a port on every machine of a training, including machines ordered later. If the priority is taken, the next free one is used.
         *
         *     Scope: `port:write`.
         */
        post: operations["openPort"];
        /**
         * Closes a port of a training.
         * @description Closes a port of a training. Established connections stay open until they end.
         *
         *     Scope: `port:write`.
         */
        delete: operations["closePort"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/remote/ssh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issues a single-use ticket for an SSH connection to a running Linux machine, valid for one minute with the same API key.
         * @description Issues a single-use ticket for an SSH connection to a running Linux machine, valid for one minute with the same API key. The WebSocket at `path` takes the message `{ machine, ticket }`, replies with `{ kind: 'opened' }`, and then carries the bytes of SSH in binary messages of at most 64 kB.
         *
         *     Scope: `machine:connect`.
         */
        post: operations["connectMachine"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/azure/class": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the learners of a training and their machines, and states which are connected, idle, failing or have a raised hand.
         * @description Lists the learners of a training and their machines, and states which are connected, idle, failing or have a raised hand.
         *
         *     Scope: `class:read`.
         */
        get: operations["getClass"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/azure/class/announcement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Shows an announcement to the learners of a training.
         * @description Shows an announcement to the learners of a training. It replaces the previous one.
         *
         *     Scope: `class:write`.
         */
        post: operations["announceToClass"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/azure/class/extension": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Extends the access window of a training by 15 minutes, or opens a closed one for 15 minutes.
         * @description Extends the access window of a training by 15 minutes, or opens a closed one for 15 minutes. Scheduled stops within the extension are deferred to its end.
         *
         *     Scope: `class:write`.
         */
        post: operations["extendClass"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/azure/class/power": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts all stopped machines of a training (operation 1), or stops those idle for at least idleMinutes, or all (operation 0).
         * @description Starts all stopped machines of a training (operation 1), or stops those idle for at least idleMinutes, or all (operation 0). A stop of all is delayed for a few seconds, during which it can be undone.
         *
         *     Scope: `class:write`.
         */
        post: operations["powerClass"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/ledger/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns an organisation's account with its newest entries in chronological order.
         * @description Returns an organisation's account with its newest entries in chronological order. The balance is in rupees owed. Superadmins must give the organisation.
         *
         *     Scope: `ledger:read`.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists issued documents, newest first, at most 500.
         * @description Lists issued documents, newest first, at most 500. Admins receive the documents of their own organisation. Superadmins receive those of the given organisation, or of all organisations.
         *
         *     Scope: `invoice:read`.
         */
        get: operations["listInvoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/invoice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns an issued document with its credit and debit notes and its e-invoice registration.
         * @description Returns an issued document with its credit and debit notes and its e-invoice registration.
         *
         *     Scope: `invoice:read`.
         */
        get: operations["getInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/invoice/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Returns an issued document as a PDF.
         * @description Returns an issued document as a PDF.
         *
         *     Scope: `invoice:read`.
         */
        post: operations["downloadInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/invoice/json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Returns an issued invoice or credit note in the e-invoice format INV-01 1.1.
         * @description Returns an issued invoice or credit note in the e-invoice format INV-01 1.1.
         *
         *     Scope: `invoice:read`.
         */
        post: operations["downloadInvoiceJson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/azure/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists a machine's runs, newest first.
         * @description Lists a machine's runs, newest first. `stop` is null while the machine is running. `duration` is in minutes.
         *
         *     Scope: `usage:read`.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/azure/billing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a training's usage (hours), cost (rupees) and numbers of running and stopped machines.
         * @description Returns a training's usage (hours), cost (rupees) and numbers of running and stopped machines. With `lines` also the breakdown of the amount at the same instant.
         *
         *     Scope: `usage:read`.
         */
        get: operations["getBill"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/azure/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a training's usage (hours) and cost (paise) per day in the organisation's time zone, oldest first.
         * @description Returns a training's usage (hours) and cost (paise) per day in the organisation's time zone, oldest first. Days without a run are included with 0. Users get only their own machines.
         *
         *     Scope: `usage:read`.
         */
        get: operations["getDailyUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/azure/billing/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the runs behind a machine's bill line, oldest first, with the events that started and ended each.
         * @description Returns the runs behind a machine's bill line, oldest first, with the events that started and ended each. The amount is the sum of paiseSeconds / 3600 in paise, rounded half up once.
         *
         *     Scope: `usage:read`.
         */
        get: operations["listRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/budgets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the budgets and the spending of an organisation and its trainings.
         * @description Returns the budgets and the spending of an organisation and its trainings. The organisation's spending is that of the current month in its time zone, a training's spending is its total so far.
         *
         *     Scope: `budget:read`.
         */
        get: operations["listBudgets"];
        put?: never;
        /**
         * Sets or changes a budget.
         * @description Sets or changes a budget. If the spending already exceeds alert thresholds, each alert is sent once.
         *
         *     Scope: `budget:write`.
         */
        post: operations["setBudget"];
        /**
         * Removes a budget.
         * @description Removes a budget. Its spending cap no longer applies.
         *
         *     Scope: `budget:write`.
         */
        delete: operations["deleteBudget"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/budgets/forecast": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Forecasts the cost of the next four weeks and when the budget will be used up, from running machines, schedules and past usage, with the measured error of past forecasts.
         * @description Forecasts the cost of the next four weeks and when the budget will be used up, from running machines, schedules and past usage, with the measured error of past forecasts. Returns no forecast (`shown` is null) if past forecasts were no more accurate than repeating the cost of the previous week.
         *
         *     Scope: `budget:read`.
         */
        get: operations["getForecast"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the webhook endpoints of an organisation, oldest first.
         * @description Lists the webhook endpoints of an organisation, oldest first.
         *
         *     Scope: `webhook:read`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Adds a webhook endpoint and returns its signing secret, which cannot be read again.
         * @description Adds a webhook endpoint and returns its signing secret, which cannot be read again. The address must be public and start with https://.
         *
         *     Scope: `webhook:write`.
         */
        post: operations["createWebhook"];
        /**
         * Deletes a webhook endpoint with its deliveries.
         * @description Deletes a webhook endpoint with its deliveries.
         *
         *     Scope: `webhook:write`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Changes a webhook endpoint.
         * @description Changes a webhook endpoint. A disabled endpoint receives nothing: its pending deliveries fail, and events are not stored for it.
         *
         *     Scope: `webhook:write`.
         */
        patch: operations["changeWebhook"];
        trace?: never;
    };
    "/api/webhooks/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replaces the signing secret of an endpoint and returns the new one.
         * @description Replaces the signing secret of an endpoint and returns the new one. Deliveries are signed with both secrets for a day.
         *
         *     Scope: `webhook:write`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends a test event to an endpoint.
         * @description Sends a test event to an endpoint.
         *
         *     Scope: `webhook:write`.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the deliveries to an endpoint, newest first, at most 50.
         * @description Lists the deliveries to an endpoint, newest first, at most 50. Pass `beforeSequence` to continue.
         *
         *     Scope: `webhook:read`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/delivery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a delivery with its body and its attempts, oldest first.
         * @description Returns a delivery with its body and its attempts, oldest first. Each attempt has the request and the beginning of the reply.
         *
         *     Scope: `webhook:read`.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends a single delivery, or all deliveries since a time, to an endpoint again with the same webhook-id.
         * @description Sends a single delivery, or all deliveries since a time, to an endpoint again with the same webhook-id. At most 1000 are sent.
         *
         *     Scope: `webhook:write`.
         */
        post: operations["resendWebhookDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists audit rows with actor, call, address and result, newest first, 50 per page.
         * @description Lists audit rows with actor, call, address and result, newest first, 50 per page. Admins get the rows of their own organisation; superadmins get all rows, or those of the given organisation.
         *
         *     Scope: `audit:read`.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "machine.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A machine was created at the provider
         * @description A machine was created at the provider. Signed by Standard Webhooks with the secret of the endpoint.
         */
        post: operations["onMachineCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "machine.started": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A machine runs
         * @description A machine runs. Signed by Standard Webhooks with the secret of the endpoint.
         */
        post: operations["onMachineStarted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "machine.stopped": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A machine was stopped
         * @description A machine was stopped. Signed by Standard Webhooks with the secret of the endpoint.
         */
        post: operations["onMachineStopped"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "machine.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A machine cannot be brought to its desired state
         * @description A machine cannot be brought to its desired state. Signed by Standard Webhooks with the secret of the endpoint.
         */
        post: operations["onMachineFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "machine.assigned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A machine was handed over to another learner
         * @description A machine was handed over to another learner. Signed by Standard Webhooks with the secret of the endpoint.
         */
        post: operations["onMachineAssigned"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "machine.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A machine was deleted
         * @description A machine was deleted. Signed by Standard Webhooks with the secret of the endpoint.
         */
        post: operations["onMachineDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Machines were ordered
         * @description Machines were ordered. Signed by Standard Webhooks with the secret of the endpoint.
         */
        post: operations["onOrderCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * All machines of an order have been created
         * @description All machines of an order have been created. Signed by Standard Webhooks with the secret of the endpoint.
         */
        post: operations["onOrderReady"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "training.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A training was created
         * @description A training was created. Signed by Standard Webhooks with the secret of the endpoint.
         */
        post: operations["onTrainingCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "training.removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A training was deleted
         * @description A training was deleted. Signed by Standard Webhooks with the secret of the endpoint.
         */
        post: operations["onTrainingRemoved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "training.restored": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A deleted training was ordered again
         * @description A deleted training was ordered again. Signed by Standard Webhooks with the secret of the endpoint.
         */
        post: operations["onTrainingRestored"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "budget.reached": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A budget reached a threshold
         * @description A budget reached a threshold. Signed by Standard Webhooks with the secret of the endpoint.
         */
        post: operations["onBudgetReached"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "budget.cap_reached": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A budget is used up and its machines are stopped
         * @description A budget is used up and its machines are stopped. Signed by Standard Webhooks with the secret of the endpoint.
         */
        post: operations["onBudgetCapReached"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "quota.reached": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The allotted hours of a training reached a threshold
         * @description The allotted hours of a training reached a threshold. Signed by Standard Webhooks with the secret of the endpoint.
         */
        post: operations["onQuotaReached"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.issued": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An invoice was issued
         * @description An invoice was issued. Signed by Standard Webhooks with the secret of the endpoint.
         */
        post: operations["onInvoiceIssued"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.credited": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A credit note was issued
         * @description A credit note was issued. Signed by Standard Webhooks with the secret of the endpoint.
         */
        post: operations["onInvoiceCredited"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.reversed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An invoice was reversed
         * @description An invoice was reversed. Signed by Standard Webhooks with the secret of the endpoint.
         */
        post: operations["onInvoiceReversed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.received": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A payment was received
         * @description A payment was received. Signed by Standard Webhooks with the secret of the endpoint.
         */
        post: operations["onPaymentReceived"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.refunded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A payment was refunded
         * @description A payment was refunded. Signed by Standard Webhooks with the secret of the endpoint.
         */
        post: operations["onPaymentRefunded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.reversed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A payment was reversed
         * @description A payment was reversed. Signed by Standard Webhooks with the secret of the endpoint.
         */
        post: operations["onPaymentReversed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "hand.raised": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A learner raised a hand
         * @description A learner raised a hand. Signed by Standard Webhooks with the secret of the endpoint.
         */
        post: operations["onHandRaised"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "hand.lowered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A raised hand was lowered
         * @description A raised hand was lowered. Signed by Standard Webhooks with the secret of the endpoint.
         */
        post: operations["onHandLowered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "registration.requested": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A learner registered and waits for approval
         * @description A learner registered and waits for approval. Signed by Standard Webhooks with the secret of the endpoint.
         */
        post: operations["onRegistrationRequested"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "registration.waiting": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A learner joined the waiting list of a registration link
         * @description A learner joined the waiting list of a registration link. Signed by Standard Webhooks with the secret of the endpoint.
         */
        post: operations["onRegistrationWaiting"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "registration.approved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A registration was approved
         * @description A registration was approved. Signed by Standard Webhooks with the secret of the endpoint.
         */
        post: operations["onRegistrationApproved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "registration.declined": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A registration was declined
         * @description A registration was declined. Signed by Standard Webhooks with the secret of the endpoint.
         */
        post: operations["onRegistrationDeclined"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "registration.seated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A learner got a seat of a registration link
         * @description A learner got a seat of a registration link. Signed by Standard Webhooks with the secret of the endpoint.
         */
        post: operations["onRegistrationSeated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "registration.link_full": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * All seats of a registration link are taken
         * @description All seats of a registration link are taken. Signed by Standard Webhooks with the secret of the endpoint.
         */
        post: operations["onRegistrationLinkFull"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description A refused request. */
        Problem: {
            /**
             * @description Stable code of the refusal.
             * @example malformed
             * @example invalid
             * @example signedOut
             */
            code: string;
            /** @description What happened and what to do next. */
            message: string;
            /** @description Same as message. */
            error: string;
            /** @description Identifies the request in the logs. Name it to support. */
            requestId: string;
        };
        GetKeyReply: {
            name: string;
            /** @enum {string} */
            kind: "personal" | "service";
            scopes: string[];
            /** Format: date-time */
            expires: string;
            email: string;
            /** @enum {string} */
            userType: "user" | "admin" | "superadmin" | "sandboxuser" | "awssandboxuser";
            organization: string | null;
            timeZone: string | null;
        };
        ListOrganisationsReply: {
            organization: string[];
        };
        ListPeopleReply: {
            people: {
                email: string;
                name: string | null;
                /** @enum {string} */
                userType: "user" | "admin" | "superadmin" | "sandboxuser" | "awssandboxuser";
                bounced: {
                    /** Format: date-time */
                    at: string;
                    reason: string;
                } | null;
                invitation: {
                    /** Format: date-time */
                    sentAt: string;
                    deliveredAt: string | null;
                    openedAt: string | null;
                    bounced: {
                        /** Format: date-time */
                        at: string;
                        reason: string;
                    } | null;
                    /** Format: date-time */
                    until: string;
                } | null;
            }[];
        };
        ListTemplatesReply: {
            templates: {
                name: string;
                rate: number;
                nextRate?: {
                    rate: number;
                    /** Format: date */
                    from: string;
                };
                display: {
                    cpu: string;
                    memory: string;
                    os: string;
                    storage: string;
                    disk: string;
                };
                creation: {
                    /** @enum {string} */
                    licence: "Windows_Server" | "none";
                    /** @enum {string} */
                    os: "Windows" | "Linux";
                    vmSize: string;
                };
                refusal: string | null;
            }[];
        };
        ListTrainingsReply: {
            trainingNames: string[];
        };
        ListMachinesReply: {
            _id: string;
            name: string;
            resourceGroup: string;
            os: string;
            /** @enum {string} */
            osType: "Windows" | "Linux";
            adminUsername: string;
            adminPass: string | null;
            publicIp: string | null;
            /** @enum {string} */
            addressKind: "public address" | "private address";
            isAlive: boolean;
            isRunning: boolean;
            guacamole: boolean;
            quota: {
                consumed: number;
                total: number | null;
            };
            email: string;
            learnerName: string | null;
            /** @enum {string} */
            status: "Planned" | "Creating" | "Starting" | "Running" | "Restarting" | "Stopping" | "Stopped" | "Resetting" | "Failing" | "Deleting" | "Terminated";
            statusReason: string | null;
            readyAt: string | null;
            earlyStart: boolean;
            capturing: boolean;
            refused: boolean;
            spendingCapReason: string | null;
            progress: {
                /** @enum {string} */
                kind: "create" | "start" | "stop" | "restart" | "reset" | "delete" | "capture";
                /** Format: date-time */
                askedAt: string;
                sentAt: string | null;
                acceptedAt: string | null;
                endedAt: string | null;
                readyAt: string | null;
                usual: {
                    median: number;
                    p90: number;
                } | null;
            } | null;
        }[];
        PowerMachinesRequest: ({
            /** @enum {number} */
            operation: 0 | 1;
        } | {
            name: string;
            resourceGroup: string;
        })[];
        PowerMachinesReply: {
            message: string;
        };
        RestartMachinesRequest: {
            name: string;
            resourceGroup: string;
        }[];
        RestartMachinesReply: {
            message: string;
        };
        DeleteMachinesRequest: {
            name: string;
            resourceGroup: string;
        }[];
        DeleteMachinesReply: {
            message: string;
        };
        ResetMachinesRequest: {
            name: string;
            resourceGroup: string;
        }[];
        ResetMachinesReply: {
            message: string;
        };
        HandOverMachineRequest: {
            name: string;
            resourceGroup: string;
            email: string;
        };
        HandOverMachineReply: {
            message: string;
        };
        CreateOrderRequest: {
            templateName: string;
            email: string[];
            trainingName: string;
            allocatedHours: number | null;
            createVmCount: number;
            guacamole: boolean;
            organization?: string;
            names?: {
                email: string;
                name: string;
            }[];
            readyBy?: {
                /** Format: date */
                date: string;
                time: string;
            };
        };
        CreateOrderReply: {
            message: string;
            waitMinutes: number;
        };
        GetLastOrderReply: {
            lastOrder: {
                templateName: string;
                allocatedHours: number | null;
                guacamole: boolean;
            } | null;
        };
        ListOperationsReply: {
            operations: {
                /** @enum {string} */
                kind: "create" | "start" | "stop" | "restart" | "reset" | "delete" | "capture";
                /** Format: date-time */
                askedAt: string;
                sentAt: string | null;
                acceptedAt: string | null;
                endedAt: string | null;
                readyAt: string | null;
                usual: {
                    median: number;
                    p90: number;
                } | null;
                closed: boolean;
                reason: string | null;
            }[];
            openings: {
                /** @enum {string} */
                kind: "terminal" | "desktop";
                /** Format: date-time */
                at: string;
                milliseconds: number;
                usual: {
                    median: number;
                    p95: number;
                };
            }[];
        };
        ListSchedulesReply: {
            timeZone: string;
            schedules: {
                _id: string;
                date: string;
                time: string;
                /** @enum {string} */
                action: "Start" | "Stop";
                /** @enum {string} */
                status: "Pending" | "Completed";
                result: ("missed" | {
                    acted: number;
                    skipped: number;
                    failed: number;
                    reasons: string[];
                }) | null;
                repeats: string | null;
                late: number | null;
            }[];
        };
        CreateScheduleRequest: {
            trainingName: string;
            organization?: string;
            data: {
                schedules: {
                    /** Format: date */
                    date: string;
                    /** @enum {string} */
                    action: "Start" | "Stop";
                    time: string;
                    /** @enum {string} */
                    status?: "Pending";
                }[];
                restrictLogin: {
                    restrictUserLogin: boolean;
                    userAccessOnTime: string | null;
                    userAccessOffTime: string | null;
                    userAccessDays?: number[] | null;
                };
            };
        };
        CreateScheduleReply: {
            message: string;
        };
        DeleteScheduleRequest: Record<string, never> | null;
        DeleteScheduleReply: {
            message: string;
        };
        ListWeeklySchedulesReply: {
            timeZone: string;
            endsOn: string | null;
            weekly: {
                _id: string;
                /** @enum {string} */
                action: "Start" | "Stop";
                time: string;
                weekdays: number[];
                from: string;
                until: string;
                timeZone: string;
                left: number;
                next: {
                    date: string;
                    time: string;
                    at: string;
                    note: string | null;
                }[];
            }[];
        };
        CreateWeeklyScheduleRequest: {
            trainingName: string;
            organization?: string;
            /** @enum {string} */
            action: "Start" | "Stop";
            time: string;
            /** Format: date */
            from: string;
            /** Format: date */
            until: string;
            weekdays: number[];
        };
        CreateWeeklyScheduleReply: {
            message: string;
            _id: string;
        };
        DeleteWeeklyScheduleRequest: Record<string, never> | null;
        DeleteWeeklyScheduleReply: {
            message: string;
        };
        ListReadyTimesReply: {
            timeZone: string;
            readyBy: {
                /** Format: date */
                date: string;
                time: string;
                /** Format: date-time */
                readyAt: string;
                /** Format: date-time */
                startsAt: string;
                /** @enum {string} */
                state: "waiting" | "started" | "missed";
                ofSession: boolean;
                total: number;
                ready: number;
                others: {
                    name: string;
                    email: string;
                    reason: string;
                }[];
            }[];
        };
        PlanReadyTimeRequest: {
            trainingName: string;
            organization?: string;
            /** Format: date */
            date: string;
            time: string;
        };
        PlanReadyTimeReply: {
            message: string;
        };
        CancelReadyTimeRequest: Record<string, never> | null;
        CancelReadyTimeReply: {
            message: string;
        };
        ListClassSessionsReply: {
            timeZone: string;
            /** Format: date */
            today: string;
            endsOn: string | null;
            machines: number;
            sessions: {
                _id: string;
                /** Format: date */
                date: string;
                start: string;
                stop: string;
                /** Format: date-time */
                startsAt: string;
                /** Format: date-time */
                stopsAt: string;
                weekly: {
                    weekdays: number[];
                    /** Format: date */
                    until: string;
                } | null;
                limitsAccess: boolean;
                skipped: boolean;
                moved: boolean;
                /** @enum {string} */
                ready: "none" | "pending" | "done" | "missed";
                /** @enum {string} */
                powerOn: "none" | "pending" | "done" | "missed";
                /** @enum {string} */
                shutDown: "none" | "pending" | "done" | "missed";
                holiday: string | null;
                cost?: number;
            }[];
            events: {
                /** Format: date */
                date: string;
                time: string;
                /** @enum {string} */
                kind: "Start" | "Stop" | "Ready";
            }[];
            holidays: {
                /** Format: date */
                date: string;
                name: string;
            }[];
        };
        CreateClassSessionRequest: {
            trainingName: string;
            organization?: string;
            start: string;
            stop: string;
            /** Format: date */
            from: string;
            /** Format: date */
            until: string;
            weekdays: number[] | null;
            limitAccess: boolean;
            skipHolidays: boolean;
        };
        CreateClassSessionReply: {
            message: string;
        };
        DeleteClassSessionRequest: Record<string, never> | null;
        DeleteClassSessionReply: {
            message: string;
        };
        ListPortsReply: {
            ports: number[];
            rules: {
                port: number;
                /** @enum {string} */
                protocol: "TCP" | "UDP" | "TCP and UDP";
                source: string | null;
            }[];
            pending: boolean;
            lastError: string | null;
        };
        OpenPortRequest: {
            trainingName: string;
            organization?: string;
            port: number;
            priority: number;
            /** @enum {string} */
            protocol?: "TCP" | "UDP" | "TCP and UDP";
            source?: string;
        };
        OpenPortReply: {
            message: string;
        };
        ClosePortRequest: {
            trainingName: string;
            organization?: string;
            port: number;
        };
        ClosePortReply: {
            message: string;
        };
        ConnectMachineRequest: {
            vmName: string;
        };
        ConnectMachineReply: {
            ticket: string;
            path: string;
            account: string;
            hostKey: string;
            expiresIn: number;
        };
        GetClassReply: {
            room: {
                timeZone: string;
                announcement: {
                    text: string;
                    /** Format: date-time */
                    at: string;
                    /** Format: date-time */
                    until: string;
                } | null;
                idleStopMinutes: number | null;
                watchedWithoutAsking: boolean;
                earlyStart: boolean;
                window: {
                    start: string;
                    stop: string;
                    open: boolean;
                    extendedUntil: string | null;
                } | null;
            };
            seats: {
                machine: {
                    _id: string;
                    name: string;
                    resourceGroup: string;
                    os: string;
                    /** @enum {string} */
                    osType: "Windows" | "Linux";
                    adminUsername: string;
                    adminPass: string | null;
                    publicIp: string | null;
                    /** @enum {string} */
                    addressKind: "public address" | "private address";
                    isAlive: boolean;
                    isRunning: boolean;
                    guacamole: boolean;
                    quota: {
                        consumed: number;
                        total: number | null;
                    };
                    email: string;
                    learnerName: string | null;
                    /** @enum {string} */
                    status: "Planned" | "Creating" | "Starting" | "Running" | "Restarting" | "Stopping" | "Stopped" | "Resetting" | "Failing" | "Deleting" | "Terminated";
                    statusReason: string | null;
                    readyAt: string | null;
                    earlyStart: boolean;
                    capturing: boolean;
                    refused: boolean;
                    spendingCapReason: string | null;
                    progress: {
                        /** @enum {string} */
                        kind: "create" | "start" | "stop" | "restart" | "reset" | "delete" | "capture";
                        /** Format: date-time */
                        askedAt: string;
                        sentAt: string | null;
                        acceptedAt: string | null;
                        endedAt: string | null;
                        readyAt: string | null;
                        usual: {
                            median: number;
                            p90: number;
                        } | null;
                    } | null;
                };
                connectedSince: string | null;
                disconnectedSince: string | null;
                runningSince: string | null;
                idleSince: string | null;
                cpu: {
                    percent: number;
                    /** Format: date-time */
                    at: string;
                } | null;
                handRaisedAt: string | null;
                handReason: ("stuck" | "question" | "slow") | null;
                stopsAt: string | null;
                activeMinutes: number[];
            }[];
        };
        AnnounceToClassRequest: {
            trainingName: string;
            organization?: string;
            text: string;
            /** @enum {number} */
            minutes: 5 | 15 | 60 | 240;
        };
        AnnounceToClassReply: {
            message: string;
        };
        ExtendClassRequest: {
            trainingName: string;
            organization?: string;
        };
        ExtendClassReply: {
            message: string;
            /** Format: date-time */
            until: string;
        };
        PowerClassRequest: {
            trainingName: string;
            organization?: string;
            /** @enum {number} */
            operation: 1;
        } | {
            trainingName: string;
            organization?: string;
            /** @enum {number} */
            operation: 0;
            idleMinutes?: number;
            /** @enum {boolean} */
            all?: true;
        };
        PowerClassReply: {
            message: string;
            machines: number;
            undoable?: {
                name: string;
                resourceGroup: string;
            }[];
        };
        GetAccountReply: {
            legal: {
                name: string;
                gst: string | null;
                balance: number;
                limit: number;
            };
            opening: number;
            transactions: {
                date: string;
                particular: string;
                /** @enum {string} */
                kind: "invoice" | "payment" | "refund" | "tds" | "invoice reversal" | "payment reversal" | "tds reversal" | "write-off";
                invoice: number | null;
                payment: number | null;
                id: string;
            }[];
            earlier: string | null;
        };
        ListInvoicesReply: {
            documents: {
                number: string;
                /** @enum {string} */
                kind: "invoice" | "credit note" | "receipt voucher" | "refund voucher" | "financial credit note" | "debit note";
                date: string;
                organization: string;
                month: string | null;
                of: string | null;
                totalPaise: number;
                creditedPaise: number;
                registered: boolean;
                cancelled: boolean;
            }[];
            earlier: string | null;
        };
        GetInvoiceReply: {
            organization: string;
            document: {
                /** @enum {string} */
                kind: "invoice" | "credit note" | "receipt voucher" | "refund voucher" | "financial credit note" | "debit note";
                number: string | null;
                date: string | null;
                dueOn?: string | null;
                month: string | null;
                supplier: {
                    legalName: string;
                    gstin: string;
                    address: {
                        line1: string;
                        line2: string | null;
                        city: string;
                        pin: string | null;
                        state: {
                            code: string;
                            name: string;
                        };
                        country: string | null;
                    };
                    email: string | null;
                    phone: string | null;
                    bank: {
                        bankName: string;
                        accountName: string;
                        accountNumber: string;
                        ifsc: string;
                    } | null;
                    signatory: string;
                    cin?: string | null;
                };
                customer: {
                    legalName: string;
                    gstin: string | null;
                    address: {
                        line1: string;
                        line2: string | null;
                        city: string;
                        pin: string | null;
                        state: {
                            code: string;
                            name: string;
                        };
                        country: string | null;
                    };
                    purchaseOrder?: string | null;
                    costCentre?: string | null;
                };
                /** @enum {string} */
                supplyType: "B2B" | "B2C" | "SEZWP" | "SEZWOP" | "EXPWP" | "EXPWOP";
                placeOfSupply: {
                    code: string;
                    name: string;
                };
                /** @enum {string} */
                localTax: "SGST" | "UTGST";
                reverseCharge: boolean;
                endorsement: string | null;
                items: {
                    description: string;
                    sac: string;
                    rate: number;
                    discountPaise?: number;
                    taxablePaise: number;
                    cgstPaise: number;
                    sgstPaise: number;
                    igstPaise: number;
                    totalPaise: number;
                }[];
                summary: {
                    sac: string;
                    rate: number;
                    taxablePaise: number;
                    cgstPaise: number;
                    sgstPaise: number;
                    igstPaise: number;
                }[];
                totals: {
                    taxablePaise: number;
                    cgstPaise: number;
                    sgstPaise: number;
                    igstPaise: number;
                    roundOffPaise: number;
                    totalPaise: number;
                };
                words: string;
                lines: {
                    machine: string;
                    training: string;
                    learner?: string;
                    seconds: number;
                    amountPaise: number;
                }[];
                of: {
                    number: string;
                    date: string;
                } | null;
                reason: string | null;
            };
            credited: {
                items: number[];
                totalPaise: number;
            };
            notes: string[];
            debitNotes: string[];
            leftPaise: number[];
            taxCreditUntil: string | null;
            registration: {
                irn: string;
                ackNumber: string;
                /** Format: date-time */
                ackDate: string;
                signedQr: string;
            } | null;
            expectedIrn: string;
            cancellation: {
                /** @enum {string} */
                state: "cancelling" | "cancelled" | "refused";
                /** @enum {string} */
                reason: "duplicate" | "data entry mistake" | "order cancelled" | "other";
                /** Format: date-time */
                requestedAt: string;
                endedAt: string | null;
                remark: string | null;
                problem: string | null;
            } | null;
            cancelUntil: string | null;
        };
        DownloadInvoiceRequest: {
            number: string;
        };
        DownloadInvoiceJsonRequest: {
            number: string;
        };
        ListSessionsReply: {
            logs: {
                /** Format: date-time */
                start: string;
                stop: string | null;
                duration: number;
            }[];
        };
        GetBillReply: {
            Amount: number;
            Duration: number;
            Status: {
                online: number;
                offline: number;
            };
            lines?: {
                machine: string;
                email: string;
                learnerName: string | null;
                paisePerHour: number;
                guacamole: boolean;
                runs: number;
                seconds: number;
                amountPaise: number;
            }[];
            /** Format: date-time */
            asOf?: string;
        };
        GetDailyUsageReply: {
            timeZone: string;
            days: {
                date: string;
                hours: number;
                amountPaise: number;
            }[];
        };
        ListRunsReply: {
            /** Format: date-time */
            asOf: string;
            amountPaise: number;
            runs: {
                /** Format: date-time */
                start: string;
                stop: string | null;
                seconds: number;
                paisePerHour: number;
                paiseSeconds: number;
                opened: {
                    /** @enum {string} */
                    cause: "create accepted" | "start accepted" | "restart accepted" | "stop accepted" | "delete accepted" | "deleted" | "seen running" | "seen halted" | "seen stopped" | "seen changing" | "seen failed" | "seen absent" | "imported" | "price changed";
                    /** Format: date-time */
                    told: string;
                };
                closed: {
                    /** @enum {string} */
                    cause: "create accepted" | "start accepted" | "restart accepted" | "stop accepted" | "delete accepted" | "deleted" | "seen running" | "seen halted" | "seen stopped" | "seen changing" | "seen failed" | "seen absent" | "imported" | "price changed";
                    /** Format: date-time */
                    told: string;
                } | null;
            }[];
        };
        ListBudgetsReply: {
            organization: string;
            timeZone: string;
            month: string;
            whole: {
                spentPaise: number;
                budget: {
                    amountPaise: number;
                    spendingCap: boolean;
                    usedUp: boolean;
                    lastDay: string | null;
                    setBy: string;
                    /** Format: date-time */
                    setAt: string;
                } | null;
            };
            trainings: {
                spentPaise: number;
                budget: {
                    amountPaise: number;
                    spendingCap: boolean;
                    usedUp: boolean;
                    lastDay: string | null;
                    setBy: string;
                    /** Format: date-time */
                    setAt: string;
                } | null;
                trainingName: string;
            }[];
        };
        SetBudgetRequest: {
            organization?: string;
            trainingName?: string;
            amount: number;
            spendingCap: boolean;
            lastDay: string | null;
        };
        SetBudgetReply: {
            message: string;
        };
        DeleteBudgetRequest: {
            organization?: string;
            trainingName?: string;
        };
        DeleteBudgetReply: {
            message: string;
        };
        GetForecastReply: {
            /** Format: date-time */
            asOf: string;
            timeZone: string;
            backtest: {
                weeks: number;
                error: number;
                naiveError: number;
            } | null;
            shown: {
                days: {
                    date: string;
                    expectedPaise: number;
                }[];
                runsOutAt: string | null;
                over: {
                    paise: number;
                    lastDay: string;
                } | null;
            } | null;
        };
        ListWebhooksReply: {
            endpoints: {
                /** Format: uuid */
                id: string;
                url: string;
                description: string;
                events: string[];
                /** Format: date-time */
                created: string;
                disabled: {
                    /** Format: date-time */
                    at: string;
                    /** @enum {string} */
                    reason: "user" | "gone" | "failing";
                } | null;
                failingSince: string | null;
                formerSecretUntil: string | null;
                pending: number;
            }[];
        };
        CreateWebhookRequest: {
            organization?: string;
            /** Format: uri */
            url: string;
            description: string;
            events: ("machine.created" | "machine.started" | "machine.stopped" | "machine.failed" | "machine.assigned" | "machine.deleted" | "order.created" | "order.ready" | "training.created" | "training.removed" | "training.restored" | "budget.reached" | "budget.cap_reached" | "quota.reached" | "invoice.issued" | "invoice.credited" | "invoice.reversed" | "payment.received" | "payment.refunded" | "payment.reversed" | "hand.raised" | "hand.lowered" | "registration.requested" | "registration.waiting" | "registration.approved" | "registration.declined" | "registration.seated" | "registration.link_full")[];
        };
        CreateWebhookReply: {
            /** Format: uuid */
            id: string;
            secret: string;
            message: string;
        };
        ChangeWebhookRequest: {
            /** Format: uuid */
            id: string;
            /** Format: uri */
            url: string;
            description: string;
            events: ("machine.created" | "machine.started" | "machine.stopped" | "machine.failed" | "machine.assigned" | "machine.deleted" | "order.created" | "order.ready" | "training.created" | "training.removed" | "training.restored" | "budget.reached" | "budget.cap_reached" | "quota.reached" | "invoice.issued" | "invoice.credited" | "invoice.reversed" | "payment.received" | "payment.refunded" | "payment.reversed" | "hand.raised" | "hand.lowered" | "registration.requested" | "registration.waiting" | "registration.approved" | "registration.declined" | "registration.seated" | "registration.link_full")[];
            enabled: boolean;
        };
        ChangeWebhookReply: {
            message: string;
        };
        DeleteWebhookRequest: {
            /** Format: uuid */
            id: string;
        };
        DeleteWebhookReply: {
            message: string;
        };
        RotateWebhookSecretRequest: {
            /** Format: uuid */
            id: string;
        };
        RotateWebhookSecretReply: {
            /** Format: uuid */
            id: string;
            secret: string;
            message: string;
        };
        TestWebhookRequest: {
            /** Format: uuid */
            id: string;
        };
        TestWebhookReply: {
            /** Format: uuid */
            eventId: string;
            message: string;
        };
        ListWebhookDeliveriesReply: {
            deliveries: {
                /** Format: uuid */
                id: string;
                /** Format: uuid */
                eventId: string;
                /** Format: uuid */
                endpoint: string;
                type: string;
                /** Format: date-time */
                at: string;
                /** @enum {string} */
                state: "pending" | "delivered" | "failed";
                attempts: number;
                status: number | null;
                next: string | null;
            }[];
            nextSequence: string | null;
        };
        GetWebhookDeliveryReply: {
            delivery: {
                /** Format: uuid */
                id: string;
                /** Format: uuid */
                eventId: string;
                /** Format: uuid */
                endpoint: string;
                type: string;
                /** Format: date-time */
                at: string;
                /** @enum {string} */
                state: "pending" | "delivered" | "failed";
                attempts: number;
                status: number | null;
                next: string | null;
            };
            url: string;
            body: string;
            attempts: {
                /** Format: date-time */
                at: string;
                milliseconds: number;
                requestHeaders: {
                    [key: string]: string;
                };
                response: {
                    status: number;
                    headers: {
                        [key: string]: string;
                    };
                    body: string;
                } | null;
                failure: string | null;
            }[];
        };
        ResendWebhookDeliveriesRequest: {
            /** @enum {string} */
            range: "one";
            /** Format: uuid */
            delivery: string;
        } | {
            /** @enum {string} */
            range: "failed" | "all";
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            since: string;
        };
        ResendWebhookDeliveriesReply: {
            count: number;
            message: string;
        };
        ListAuditReply: {
            rows: {
                id: number;
                /** Format: date-time */
                at: string;
                call: string;
                person: string | null;
                role: string | null;
                organization: string | null;
                address: string | null;
                refused: string | null;
                detail: unknown;
                before: unknown;
                after: unknown;
                position: number | null;
            }[];
            earlier: string | null;
        };
    };
    responses: {
        /** @description The request is not valid. The message names the field. */
        Malformed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "malformed",
                 *       "message": "port must be at most 65535.",
                 *       "error": "port must be at most 65535.",
                 *       "requestId": "5d0e3b1c-6a52-4f0e-9d4e-8f2f6a7f9b10"
                 *     }
                 */
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The API key is missing, unknown, expired or used from an address that it does not allow. */
        SignedOut: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "signedOut",
                 *       "message": "Please log in.",
                 *       "error": "Please log in.",
                 *       "requestId": "5d0e3b1c-6a52-4f0e-9d4e-8f2f6a7f9b10"
                 *     }
                 */
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The API key lacks the scope of the call, or its maker may not make it. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "forbidden",
                 *       "message": "This API key lacks the scope machine:power.",
                 *       "error": "This API key lacks the scope machine:power.",
                 *       "requestId": "5d0e3b1c-6a52-4f0e-9d4e-8f2f6a7f9b10"
                 *     }
                 */
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no such resource, or it belongs to another organisation. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "notFound",
                 *       "message": "There is no such machine.",
                 *       "error": "There is no such machine.",
                 *       "requestId": "5d0e3b1c-6a52-4f0e-9d4e-8f2f6a7f9b10"
                 *     }
                 */
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The state of the resource does not allow the call. The message states why. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "conflict",
                 *       "message": "python-a is already running.",
                 *       "error": "python-a is already running.",
                 *       "requestId": "5d0e3b1c-6a52-4f0e-9d4e-8f2f6a7f9b10"
                 *     }
                 */
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description A rate limit is reached. Retry after the seconds of the header Retry-After. */
        TooManyRequests: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "tooMany",
                 *       "message": "Too many requests. Try again in 5 seconds.",
                 *       "error": "Too many requests. Try again in 5 seconds.",
                 *       "requestId": "5d0e3b1c-6a52-4f0e-9d4e-8f2f6a7f9b10"
                 *     }
                 */
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The portal is busy. Retry after the seconds of the header Retry-After. */
        Unavailable: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "unavailable",
                 *       "message": "The portal is busy. Please try again shortly.",
                 *       "error": "The portal is busy. Please try again shortly.",
                 *       "requestId": "5d0e3b1c-6a52-4f0e-9d4e-8f2f6a7f9b10"
                 *     }
                 */
                "application/json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /**
         * @description Repeating the key with the same body returns the first reply again, without a second effect.
         * @example order-2026-12-01
         */
        IdempotencyKey: string;
        /** @description Identifies the event. It is the same in every attempt. */
        WebhookId: string;
        /** @description Time of the attempt, in seconds since 1970. */
        WebhookTimestamp: string;
        /** @description Signatures of `id.timestamp.body`, separated by spaces, each as `v1,` and base64. */
        WebhookSignature: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Limits of the call, each with its quota and its window in seconds.
         * @example "key";q=600;w=60
         */
        RateLimitPolicy: string;
        /**
         * @description Requests that are left, and the seconds until the window ends.
         * @example "key";r=598;t=42
         */
        RateLimit: string;
        /**
         * @description Seconds after which to repeat the request.
         * @example 5
         */
        RetryAfter: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Command line",
                     *       "kind": "personal",
                     *       "scopes": [
                     *         "machine:read",
                     *         "machine:power"
                     *       ],
                     *       "expires": "2027-02-23T09:30:00Z",
                     *       "email": "admin@example.com",
                     *       "userType": "admin",
                     *       "organization": "Acme Learning",
                     *       "timeZone": "Asia/Kolkata"
                     *     }
                     */
                    "application/json": components["schemas"]["GetKeyReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOrganisations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "organization": [
                     *         "Acme Learning"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ListOrganisationsReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPeople: {
        parameters: {
            query?: {
                /** @example Acme Learning */
                organization?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "people": [
                     *         {
                     *           "email": "asha@example.com",
                     *           "name": "Asha Rao",
                     *           "userType": "admin",
                     *           "bounced": null,
                     *           "invitation": {
                     *             "sentAt": "2026-12-01T03:30:00Z",
                     *             "deliveredAt": "2026-12-01T03:30:00Z",
                     *             "openedAt": "2026-12-01T03:30:00Z",
                     *             "bounced": null,
                     *             "until": "2026-12-01T03:30:00Z"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ListPeopleReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTemplates: {
        parameters: {
            query: {
                /** @example Acme Learning */
                organization: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "templates": [
                     *         {
                     *           "name": "Ubuntu 24.04 Standard",
                     *           "rate": 14,
                     *           "nextRate": {
                     *             "rate": 14,
                     *             "from": "2026-12-01"
                     *           },
                     *           "display": {
                     *             "cpu": "2 vCPU",
                     *             "memory": "8 GB",
                     *             "os": "Ubuntu 24.04",
                     *             "storage": "30 GB",
                     *             "disk": "Standard SSD"
                     *           },
                     *           "creation": {
                     *             "licence": "Windows_Server",
                     *             "os": "Windows",
                     *             "vmSize": "Standard_D2s_v5"
                     *           },
                     *           "refusal": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ListTemplatesReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTrainings: {
        parameters: {
            query: {
                /** @example Acme Learning */
                organization: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "trainingNames": [
                     *         "Python for beginners",
                     *         "Linux 101"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ListTrainingsReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMachines: {
        parameters: {
            query: {
                /** @example Python for beginners */
                trainingName: string;
                /** @example Acme Learning */
                organization?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e",
                     *         "name": "python-a",
                     *         "resourceGroup": "acme-python",
                     *         "os": "Ubuntu 24.04",
                     *         "osType": "Windows",
                     *         "adminUsername": "learner",
                     *         "adminPass": null,
                     *         "publicIp": "203.0.113.7",
                     *         "addressKind": "public address",
                     *         "isAlive": true,
                     *         "isRunning": true,
                     *         "guacamole": true,
                     *         "quota": {
                     *           "consumed": 120,
                     *           "total": 2400
                     *         },
                     *         "email": "asha@example.com",
                     *         "learnerName": "Asha Rao",
                     *         "status": "Planned",
                     *         "statusReason": null,
                     *         "readyAt": null,
                     *         "earlyStart": true,
                     *         "capturing": false,
                     *         "refused": false,
                     *         "spendingCapReason": null,
                     *         "progress": null
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ListMachinesReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    createOrder: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating the key with the same body returns the first reply again, without a second effect.
                 * @example order-2026-12-01
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "templateName": "Ubuntu 24.04 Standard",
                 *       "email": [
                 *         "asha@example.com",
                 *         "ravi@example.com"
                 *       ],
                 *       "trainingName": "Python for beginners",
                 *       "allocatedHours": 2400,
                 *       "createVmCount": 2,
                 *       "guacamole": true,
                 *       "organization": "Acme Learning",
                 *       "names": [
                 *         {
                 *           "email": "ravi@example.com",
                 *           "name": "Ravi Kumar"
                 *         }
                 *       ],
                 *       "readyBy": {
                 *         "date": "2026-12-01",
                 *         "time": "08:45"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateOrderRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "VM Creation in Process, Please wait for 2 mins before trying again.",
                     *       "waitMinutes": 2
                     *     }
                     */
                    "application/json": components["schemas"]["CreateOrderReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteMachines: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "name": "python-a",
                 *         "resourceGroup": "acme-python"
                 *       }
                 *     ]
                 */
                "application/json": components["schemas"]["DeleteMachinesRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["DeleteMachinesReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    powerMachines: {
        parameters: {
            query?: never;
            header?: {
                /** @example 1 */
                "allow-undo"?: "1";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "operation": 1
                 *       },
                 *       {
                 *         "name": "python-a",
                 *         "resourceGroup": "acme-python"
                 *       }
                 *     ]
                 */
                "application/json": components["schemas"]["PowerMachinesRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "VM Start in Process, Please wait for 10 secs before trying again"
                     *     }
                     */
                    "application/json": components["schemas"]["PowerMachinesReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    restartMachines: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "name": "python-a",
                 *         "resourceGroup": "acme-python"
                 *       }
                 *     ]
                 */
                "application/json": components["schemas"]["RestartMachinesRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["RestartMachinesReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    resetMachines: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "name": "python-a",
                 *         "resourceGroup": "acme-python"
                 *       }
                 *     ]
                 */
                "application/json": components["schemas"]["ResetMachinesRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["ResetMachinesReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    handOverMachine: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "python-a",
                 *       "resourceGroup": "acme-python",
                 *       "email": "asha@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["HandOverMachineRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["HandOverMachineReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLastOrder: {
        parameters: {
            query: {
                /** @example Python for beginners */
                trainingName: string;
                /** @example Acme Learning */
                organization?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "lastOrder": {
                     *         "templateName": "Ubuntu 24.04 Standard",
                     *         "allocatedHours": 2400,
                     *         "guacamole": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["GetLastOrderReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOperations: {
        parameters: {
            query: {
                /** @example python-a */
                vmName: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "operations": [
                     *         {
                     *           "kind": "create",
                     *           "askedAt": "2026-12-01T03:30:00Z",
                     *           "sentAt": "2026-12-01T03:30:00Z",
                     *           "acceptedAt": "2026-12-01T03:30:00Z",
                     *           "endedAt": "2026-12-01T03:30:00Z",
                     *           "readyAt": null,
                     *           "usual": {
                     *             "median": 80,
                     *             "p90": 120
                     *           },
                     *           "closed": true,
                     *           "reason": null
                     *         }
                     *       ],
                     *       "openings": [
                     *         {
                     *           "kind": "terminal",
                     *           "at": "2026-12-01T03:30:00Z",
                     *           "milliseconds": 1800,
                     *           "usual": {
                     *             "median": 80,
                     *             "p95": 130
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ListOperationsReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSchedules: {
        parameters: {
            query: {
                /** @example Python for beginners */
                trainingName: string;
                /** @example Acme Learning */
                organization?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "timeZone": "Asia/Kolkata",
                     *       "schedules": [
                     *         {
                     *           "_id": "0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e",
                     *           "date": "2026-12-01",
                     *           "time": "09:00",
                     *           "action": "Start",
                     *           "status": "Pending",
                     *           "result": "missed",
                     *           "repeats": null,
                     *           "late": 0
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ListSchedulesReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSchedule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating the key with the same body returns the first reply again, without a second effect.
                 * @example order-2026-12-01
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "trainingName": "Python for beginners",
                 *       "organization": "Acme Learning",
                 *       "data": {
                 *         "schedules": [
                 *           {
                 *             "date": "2026-12-01",
                 *             "action": "Start",
                 *             "time": "09:00",
                 *             "status": "Pending"
                 *           }
                 *         ],
                 *         "restrictLogin": {
                 *           "restrictUserLogin": true,
                 *           "userAccessOnTime": "09:00",
                 *           "userAccessOffTime": "17:00",
                 *           "userAccessDays": [
                 *             1
                 *           ]
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateScheduleRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["CreateScheduleReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSchedule: {
        parameters: {
            query: {
                /** @example Python for beginners */
                trainingName: string;
                /** @example Acme Learning */
                organization?: string;
                /** @example 0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e */
                scheduleId: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["DeleteScheduleRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["DeleteScheduleReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWeeklySchedules: {
        parameters: {
            query: {
                /** @example Python for beginners */
                trainingName: string;
                /** @example Acme Learning */
                organization?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "timeZone": "Asia/Kolkata",
                     *       "endsOn": null,
                     *       "weekly": [
                     *         {
                     *           "_id": "0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e",
                     *           "action": "Start",
                     *           "time": "09:00",
                     *           "weekdays": [
                     *             1,
                     *             3
                     *           ],
                     *           "from": "2026-12-01",
                     *           "until": "2026-12-18",
                     *           "timeZone": "Asia/Kolkata",
                     *           "left": 1,
                     *           "next": []
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ListWeeklySchedulesReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWeeklySchedule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating the key with the same body returns the first reply again, without a second effect.
                 * @example order-2026-12-01
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "trainingName": "Python for beginners",
                 *       "organization": "Acme Learning",
                 *       "action": "Start",
                 *       "time": "09:00",
                 *       "from": "2026-12-01",
                 *       "until": "2026-12-18",
                 *       "weekdays": [
                 *         1,
                 *         3
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateWeeklyScheduleRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Done.",
                     *       "_id": "0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e"
                     *     }
                     */
                    "application/json": components["schemas"]["CreateWeeklyScheduleReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWeeklySchedule: {
        parameters: {
            query: {
                /** @example Python for beginners */
                trainingName: string;
                /** @example Acme Learning */
                organization?: string;
                /** @example 0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e */
                recurrenceId: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["DeleteWeeklyScheduleRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["DeleteWeeklyScheduleReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    listReadyTimes: {
        parameters: {
            query: {
                /** @example Python for beginners */
                trainingName: string;
                /** @example Acme Learning */
                organization?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "timeZone": "Asia/Kolkata",
                     *       "readyBy": [
                     *         {
                     *           "date": "2026-12-01",
                     *           "time": "09:00",
                     *           "readyAt": "2026-12-01T03:30:00Z",
                     *           "startsAt": "2026-12-01T03:30:00Z",
                     *           "state": "waiting",
                     *           "ofSession": true,
                     *           "total": 2400,
                     *           "ready": 2,
                     *           "others": []
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ListReadyTimesReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    planReadyTime: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating the key with the same body returns the first reply again, without a second effect.
                 * @example order-2026-12-01
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "trainingName": "Python for beginners",
                 *       "organization": "Acme Learning",
                 *       "date": "2026-12-01",
                 *       "time": "09:00"
                 *     }
                 */
                "application/json": components["schemas"]["PlanReadyTimeRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["PlanReadyTimeReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelReadyTime: {
        parameters: {
            query: {
                /** @example Python for beginners */
                trainingName: string;
                /** @example Acme Learning */
                organization?: string;
                /** @example 2026-12-01 */
                date: string;
                /** @example 09:00 */
                time: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["CancelReadyTimeRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["CancelReadyTimeReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    listClassSessions: {
        parameters: {
            query: {
                /** @example Python for beginners */
                trainingName: string;
                /** @example Acme Learning */
                organization?: string;
                /** @example 2026-12-01 */
                from: string;
                /** @example 2026-12-18 */
                until: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "timeZone": "Asia/Kolkata",
                     *       "today": "2026-11-25",
                     *       "endsOn": null,
                     *       "machines": 2,
                     *       "sessions": [
                     *         {
                     *           "_id": "0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e",
                     *           "date": "2026-12-01",
                     *           "start": "09:00",
                     *           "stop": "12:00",
                     *           "startsAt": "2026-12-01T03:30:00Z",
                     *           "stopsAt": "2026-12-01T06:30:00Z",
                     *           "weekly": {
                     *             "weekdays": [
                     *               1,
                     *               3
                     *             ],
                     *             "until": "2026-12-18"
                     *           },
                     *           "limitsAccess": true,
                     *           "skipped": false,
                     *           "moved": false,
                     *           "ready": "none",
                     *           "powerOn": "none",
                     *           "shutDown": "none",
                     *           "holiday": null,
                     *           "cost": 228
                     *         }
                     *       ],
                     *       "events": [
                     *         {
                     *           "date": "2026-12-01",
                     *           "time": "09:00",
                     *           "kind": "Start"
                     *         }
                     *       ],
                     *       "holidays": [
                     *         {
                     *           "date": "2026-12-01",
                     *           "name": "Christmas"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ListClassSessionsReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    createClassSession: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating the key with the same body returns the first reply again, without a second effect.
                 * @example order-2026-12-01
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "trainingName": "Python for beginners",
                 *       "organization": "Acme Learning",
                 *       "start": "09:00",
                 *       "stop": "12:00",
                 *       "from": "2026-12-01",
                 *       "until": "2026-12-18",
                 *       "weekdays": [
                 *         1,
                 *         3
                 *       ],
                 *       "limitAccess": true,
                 *       "skipHolidays": true
                 *     }
                 */
                "application/json": components["schemas"]["CreateClassSessionRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "6 sessions are planned: Mon, Wed, 09:00 to 12:00."
                     *     }
                     */
                    "application/json": components["schemas"]["CreateClassSessionReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteClassSession: {
        parameters: {
            query: {
                /** @example Python for beginners */
                trainingName: string;
                /** @example Acme Learning */
                organization?: string;
                /** @example 0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e */
                sessionId: string;
                /** @example one */
                scope: "one" | "following";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["DeleteClassSessionRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["DeleteClassSessionReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPorts: {
        parameters: {
            query: {
                /** @example Python for beginners */
                trainingName: string;
                /** @example Acme Learning */
                organization?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ports": [
                     *         8080
                     *       ],
                     *       "rules": [
                     *         {
                     *           "port": 8080,
                     *           "protocol": "TCP",
                     *           "source": null
                     *         }
                     *       ],
                     *       "pending": false,
                     *       "lastError": null
                     *     }
                     */
                    "application/json": components["schemas"]["ListPortsReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    openPort: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating the key with the same body returns the first reply again, without a second effect.
                 * @example order-2026-12-01
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "trainingName": "Python for beginners",
                 *       "organization": "Acme Learning",
                 *       "port": 8080,
                 *       "priority": 1001,
                 *       "protocol": "TCP",
                 *       "source": "203.0.113.0/24"
                 *     }
                 */
                "application/json": components["schemas"]["OpenPortRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Port 8080 is being opened on every machine of Python for beginners."
                     *     }
                     */
                    "application/json": components["schemas"]["OpenPortReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    closePort: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "trainingName": "Python for beginners",
                 *       "organization": "Acme Learning",
                 *       "port": 8080
                 *     }
                 */
                "application/json": components["schemas"]["ClosePortRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["ClosePortReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    connectMachine: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "vmName": "python-a"
                 *     }
                 */
                "application/json": components["schemas"]["ConnectMachineRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ticket": "i7JtK0bJf3mVhZb3kq0nB4d3s7Yw0wq7mP6vZ1cX2uA",
                     *       "path": "/api/remote/ssh",
                     *       "account": "learner",
                     *       "hostKey": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleExampleExampleExampleExampleExample0",
                     *       "expiresIn": 60
                     *     }
                     */
                    "application/json": components["schemas"]["ConnectMachineReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getClass: {
        parameters: {
            query: {
                /** @example Python for beginners */
                trainingName: string;
                /** @example Acme Learning */
                organization?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "room": {
                     *         "timeZone": "Asia/Kolkata",
                     *         "announcement": null,
                     *         "idleStopMinutes": 30,
                     *         "watchedWithoutAsking": true,
                     *         "earlyStart": true,
                     *         "window": {
                     *           "start": "09:00",
                     *           "stop": "12:00",
                     *           "open": true,
                     *           "extendedUntil": "2026-12-01T03:30:00Z"
                     *         }
                     *       },
                     *       "seats": [
                     *         {
                     *           "machine": {
                     *             "_id": "0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e",
                     *             "name": "python-a",
                     *             "resourceGroup": "acme-python",
                     *             "os": "Ubuntu 24.04",
                     *             "osType": "Windows",
                     *             "adminUsername": "learner",
                     *             "adminPass": null,
                     *             "publicIp": "203.0.113.7",
                     *             "addressKind": "public address",
                     *             "isAlive": true,
                     *             "isRunning": true,
                     *             "guacamole": true,
                     *             "quota": {
                     *               "consumed": 120,
                     *               "total": 2400
                     *             },
                     *             "email": "asha@example.com",
                     *             "learnerName": "Asha Rao",
                     *             "status": "Planned",
                     *             "statusReason": null,
                     *             "readyAt": null,
                     *             "earlyStart": true,
                     *             "capturing": false,
                     *             "refused": false,
                     *             "spendingCapReason": null,
                     *             "progress": null
                     *           },
                     *           "connectedSince": "2026-12-01T03:30:00Z",
                     *           "disconnectedSince": null,
                     *           "runningSince": "2026-12-01T03:30:00Z",
                     *           "idleSince": null,
                     *           "cpu": {
                     *             "percent": 12,
                     *             "at": "2026-12-01T03:30:00Z"
                     *           },
                     *           "handRaisedAt": null,
                     *           "handReason": null,
                     *           "stopsAt": "2026-12-01T06:30:00Z",
                     *           "activeMinutes": [
                     *             0,
                     *             1,
                     *             2
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GetClassReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    announceToClass: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating the key with the same body returns the first reply again, without a second effect.
                 * @example order-2026-12-01
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "trainingName": "Python for beginners",
                 *       "organization": "Acme Learning",
                 *       "text": "We continue at ten.",
                 *       "minutes": 15
                 *     }
                 */
                "application/json": components["schemas"]["AnnounceToClassRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["AnnounceToClassReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    extendClass: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating the key with the same body returns the first reply again, without a second effect.
                 * @example order-2026-12-01
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "trainingName": "Python for beginners",
                 *       "organization": "Acme Learning"
                 *     }
                 */
                "application/json": components["schemas"]["ExtendClassRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Done.",
                     *       "until": "2026-12-01T03:30:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ExtendClassReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    powerClass: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Repeating the key with the same body returns the first reply again, without a second effect.
                 * @example order-2026-12-01
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "trainingName": "Python for beginners",
                 *       "organization": "Acme Learning",
                 *       "operation": 1
                 *     }
                 */
                "application/json": components["schemas"]["PowerClassRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Done.",
                     *       "machines": 2,
                     *       "undoable": [
                     *         {
                     *           "name": "python-a",
                     *           "resourceGroup": "acme-python"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PowerClassReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAccount: {
        parameters: {
            query?: {
                /** @example Acme Learning */
                organization?: string;
                /** @example 2026-11-25.4711 */
                before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "legal": {
                     *         "name": "python-a",
                     *         "gst": "29AAACA1234F1Z5",
                     *         "balance": 3466.79,
                     *         "limit": 50000
                     *       },
                     *       "opening": 0,
                     *       "transactions": [
                     *         {
                     *           "date": "2026-12-01",
                     *           "particular": "Invoice INV/26-27/0042",
                     *           "kind": "invoice",
                     *           "invoice": 1,
                     *           "payment": 1,
                     *           "id": "0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e"
                     *         }
                     *       ],
                     *       "earlier": null
                     *     }
                     */
                    "application/json": components["schemas"]["GetAccountReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    listInvoices: {
        parameters: {
            query?: {
                /** @example Acme Learning */
                organization?: string;
                /** @example INV/26-27/0042 */
                before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "documents": [
                     *         {
                     *           "number": "INV/26-27/0042",
                     *           "kind": "invoice",
                     *           "date": "2026-12-01",
                     *           "organization": "Acme Learning",
                     *           "month": "2026-11",
                     *           "of": null,
                     *           "totalPaise": 219589,
                     *           "creditedPaise": 0,
                     *           "registered": true,
                     *           "cancelled": false
                     *         }
                     *       ],
                     *       "earlier": null
                     *     }
                     */
                    "application/json": components["schemas"]["ListInvoicesReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getInvoice: {
        parameters: {
            query: {
                /** @example INV/26-27/0042 */
                number: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "organization": "Acme Learning",
                     *       "document": {
                     *         "kind": "invoice",
                     *         "number": "INV/26-27/0042",
                     *         "date": "2026-12-01",
                     *         "dueOn": "2026-12-01",
                     *         "month": "2026-11",
                     *         "supplier": {
                     *           "legalName": "Acme Learning Private Limited",
                     *           "gstin": "29AAACA1234F1Z5",
                     *           "address": {
                     *             "line1": "12 MG Road",
                     *             "line2": null,
                     *             "city": "Bengaluru",
                     *             "pin": "560001",
                     *             "state": {
                     *               "code": "29",
                     *               "name": "python-a"
                     *             },
                     *             "country": "IN"
                     *           },
                     *           "email": "asha@example.com",
                     *           "phone": null,
                     *           "bank": {
                     *             "bankName": "State Bank of India",
                     *             "accountName": "Trainyard Services Private Limited",
                     *             "accountNumber": "00001234567890",
                     *             "ifsc": "SBIN0000001"
                     *           },
                     *           "signatory": "Meera Nair",
                     *           "cin": "U72200KA2013PTC097389"
                     *         },
                     *         "customer": {
                     *           "legalName": "Acme Learning Private Limited",
                     *           "gstin": "29AAACA1234F1Z5",
                     *           "address": {
                     *             "line1": "12 MG Road",
                     *             "line2": null,
                     *             "city": "Bengaluru",
                     *             "pin": "560001",
                     *             "state": {
                     *               "code": "29",
                     *               "name": "python-a"
                     *             },
                     *             "country": "IN"
                     *           },
                     *           "purchaseOrder": "PO-4711",
                     *           "costCentre": "Training 12"
                     *         },
                     *         "supplyType": "B2B",
                     *         "placeOfSupply": {
                     *           "code": "29",
                     *           "name": "python-a"
                     *         },
                     *         "localTax": "SGST",
                     *         "reverseCharge": false,
                     *         "endorsement": null,
                     *         "items": [
                     *           {
                     *             "description": "Python for beginners",
                     *             "sac": "998315",
                     *             "rate": 14,
                     *             "discountPaise": 13908,
                     *             "taxablePaise": 186092,
                     *             "cgstPaise": 16748,
                     *             "sgstPaise": 16749,
                     *             "igstPaise": 0,
                     *             "totalPaise": 219589
                     *           }
                     *         ],
                     *         "summary": [
                     *           {
                     *             "sac": "998315",
                     *             "rate": 14,
                     *             "taxablePaise": 186092,
                     *             "cgstPaise": 16748,
                     *             "sgstPaise": 16749,
                     *             "igstPaise": 0
                     *           }
                     *         ],
                     *         "totals": {
                     *           "taxablePaise": 186092,
                     *           "cgstPaise": 16748,
                     *           "sgstPaise": 16749,
                     *           "igstPaise": 0,
                     *           "roundOffPaise": 0,
                     *           "totalPaise": 219589
                     *         },
                     *         "words": "Rupees two thousand one hundred ninety-five and eighty-nine paise",
                     *         "lines": [
                     *           {
                     *             "machine": "python-a",
                     *             "training": "Python for beginners",
                     *             "learner": "Asha Rao",
                     *             "seconds": 3600,
                     *             "amountPaise": 186092
                     *           }
                     *         ],
                     *         "of": null,
                     *         "reason": null
                     *       },
                     *       "credited": {
                     *         "items": [
                     *           1
                     *         ],
                     *         "totalPaise": 219589
                     *       },
                     *       "notes": [],
                     *       "debitNotes": [],
                     *       "leftPaise": [
                     *         186092
                     *       ],
                     *       "taxCreditUntil": "2026-12-01",
                     *       "registration": null,
                     *       "expectedIrn": "0000000000000000000000000000000000000000000000000000000000000000",
                     *       "cancellation": null,
                     *       "cancelUntil": null
                     *     }
                     */
                    "application/json": components["schemas"]["GetInvoiceReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    downloadInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "number": "INV/26-27/0042"
                 *     }
                 */
                "application/json": components["schemas"]["DownloadInvoiceRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    downloadInvoiceJson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "number": "INV/26-27/0042"
                 *     }
                 */
                "application/json": components["schemas"]["DownloadInvoiceJsonRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSessions: {
        parameters: {
            query: {
                /** @example python-a */
                vmName: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "logs": [
                     *         {
                     *           "start": "2026-12-01T03:30:00Z",
                     *           "stop": "2026-12-01T06:30:00Z",
                     *           "duration": 180
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ListSessionsReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getBill: {
        parameters: {
            query: {
                /** @example Python for beginners */
                trainingName: string;
                /** @example Acme Learning */
                organization?: string;
                /** @example yes */
                lines?: "yes";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Amount": 1860.92,
                     *       "Duration": 59.08,
                     *       "Status": {
                     *         "online": 2,
                     *         "offline": 0
                     *       },
                     *       "lines": [
                     *         {
                     *           "machine": "python-a",
                     *           "email": "asha@example.com",
                     *           "learnerName": "Asha Rao",
                     *           "paisePerHour": 1900,
                     *           "guacamole": true,
                     *           "runs": 2,
                     *           "seconds": 3600,
                     *           "amountPaise": 186092
                     *         }
                     *       ],
                     *       "asOf": "2026-12-01T03:30:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["GetBillReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDailyUsage: {
        parameters: {
            query: {
                /** @example Python for beginners */
                trainingName: string;
                /** @example Acme Learning */
                organization?: string;
                /** @example 7 */
                days?: "7" | "30" | "90";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "timeZone": "Asia/Kolkata",
                     *       "days": [
                     *         {
                     *           "date": "2026-12-01",
                     *           "hours": 6.5,
                     *           "amountPaise": 186092
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GetDailyUsageReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRuns: {
        parameters: {
            query: {
                /** @example python-a */
                vmName: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "asOf": "2026-12-01T03:30:00Z",
                     *       "amountPaise": 186092,
                     *       "runs": [
                     *         {
                     *           "start": "2026-12-01T03:30:00Z",
                     *           "stop": "2026-12-01T04:30:00Z",
                     *           "seconds": 3600,
                     *           "paisePerHour": 1900,
                     *           "paiseSeconds": 6840000,
                     *           "opened": {
                     *             "cause": "create accepted",
                     *             "told": "2026-12-01T03:30:00Z"
                     *           },
                     *           "closed": {
                     *             "cause": "create accepted",
                     *             "told": "2026-12-01T03:30:00Z"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ListRunsReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    listBudgets: {
        parameters: {
            query?: {
                /** @example Acme Learning */
                organization?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "organization": "Acme Learning",
                     *       "timeZone": "Asia/Kolkata",
                     *       "month": "2026-11",
                     *       "whole": {
                     *         "spentPaise": 346679,
                     *         "budget": {
                     *           "amountPaise": 186092,
                     *           "spendingCap": false,
                     *           "usedUp": false,
                     *           "lastDay": "2026-12-01",
                     *           "setBy": "admin@example.com",
                     *           "setAt": "2026-12-01T03:30:00Z"
                     *         }
                     *       },
                     *       "trainings": [
                     *         {
                     *           "spentPaise": 346679,
                     *           "budget": {
                     *             "amountPaise": 186092,
                     *             "spendingCap": false,
                     *             "usedUp": false,
                     *             "lastDay": "2026-12-01",
                     *             "setBy": "admin@example.com",
                     *             "setAt": "2026-12-01T03:30:00Z"
                     *           },
                     *           "trainingName": "Python for beginners"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ListBudgetsReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    setBudget: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "organization": "Acme Learning",
                 *       "trainingName": "Python for beginners",
                 *       "amount": 5000,
                 *       "spendingCap": false,
                 *       "lastDay": "2026-12-01"
                 *     }
                 */
                "application/json": components["schemas"]["SetBudgetRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["SetBudgetReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteBudget: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "organization": "Acme Learning",
                 *       "trainingName": "Python for beginners"
                 *     }
                 */
                "application/json": components["schemas"]["DeleteBudgetRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["DeleteBudgetReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getForecast: {
        parameters: {
            query?: {
                /** @example Acme Learning */
                organization?: string;
                /** @example Python for beginners */
                trainingName?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "asOf": "2026-12-01T03:30:00Z",
                     *       "timeZone": "Asia/Kolkata",
                     *       "backtest": {
                     *         "weeks": 8,
                     *         "error": 0.12,
                     *         "naiveError": 0.2
                     *       },
                     *       "shown": {
                     *         "days": [
                     *           {
                     *             "date": "2026-12-01",
                     *             "expectedPaise": 22800
                     *           }
                     *         ],
                     *         "runsOutAt": "2026-12-01T03:30:00Z",
                     *         "over": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["GetForecastReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @example Acme Learning */
                organization?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "endpoints": [
                     *         {
                     *           "id": "0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e",
                     *           "url": "https://example.com/webhooks",
                     *           "description": "Python for beginners",
                     *           "events": [
                     *             "hand.raised"
                     *           ],
                     *           "created": "2026-12-01T03:30:00Z",
                     *           "disabled": null,
                     *           "failingSince": null,
                     *           "formerSecretUntil": null,
                     *           "pending": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ListWebhooksReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "organization": "Acme Learning",
                 *       "url": "https://example.com/webhooks",
                 *       "description": "Python for beginners",
                 *       "events": [
                 *         "hand.raised"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e",
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["CreateWebhookReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e"
                 *     }
                 */
                "application/json": components["schemas"]["DeleteWebhookRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["DeleteWebhookReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e",
                 *       "url": "https://example.com/webhooks",
                 *       "description": "Python for beginners",
                 *       "events": [
                 *         "hand.raised"
                 *       ],
                 *       "enabled": true
                 *     }
                 */
                "application/json": components["schemas"]["ChangeWebhookRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["ChangeWebhookReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e"
                 *     }
                 */
                "application/json": components["schemas"]["RotateWebhookSecretRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e",
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["RotateWebhookSecretReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e"
                 *     }
                 */
                "application/json": components["schemas"]["TestWebhookRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "eventId": "0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e",
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["TestWebhookReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query: {
                /** @example 0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e */
                id: string;
                /** @example pending */
                state?: "pending" | "delivered" | "failed";
                /** @example 4711 */
                beforeSequence?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deliveries": [
                     *         {
                     *           "id": "0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e",
                     *           "eventId": "0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e",
                     *           "endpoint": "0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e",
                     *           "type": "hand.raised",
                     *           "at": "2026-12-01T03:30:00Z",
                     *           "state": "pending",
                     *           "attempts": 1,
                     *           "status": 1,
                     *           "next": "2026-12-01T03:30:00Z"
                     *         }
                     *       ],
                     *       "nextSequence": "4711"
                     *     }
                     */
                    "application/json": components["schemas"]["ListWebhookDeliveriesReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhookDelivery: {
        parameters: {
            query: {
                /** @example 0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e */
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "delivery": {
                     *         "id": "0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e",
                     *         "eventId": "0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e",
                     *         "endpoint": "0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e",
                     *         "type": "hand.raised",
                     *         "at": "2026-12-01T03:30:00Z",
                     *         "state": "pending",
                     *         "attempts": 1,
                     *         "status": 1,
                     *         "next": "2026-12-01T03:30:00Z"
                     *       },
                     *       "url": "https://example.com/webhooks",
                     *       "body": "{\"received\":true}",
                     *       "attempts": [
                     *         {
                     *           "at": "2026-12-01T03:30:00Z",
                     *           "milliseconds": 1800,
                     *           "requestHeaders": {
                     *             "webhook-id": "0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e"
                     *           },
                     *           "response": {
                     *             "status": 1,
                     *             "headers": {
                     *               "content-type": "text/plain"
                     *             },
                     *             "body": "{\"received\":true}"
                     *           },
                     *           "failure": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GetWebhookDeliveryReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    resendWebhookDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "range": "one",
                 *       "delivery": "0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e"
                 *     }
                 */
                "application/json": components["schemas"]["ResendWebhookDeliveriesRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 1,
                     *       "message": "Done."
                     *     }
                     */
                    "application/json": components["schemas"]["ResendWebhookDeliveriesReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @example Acme Learning */
                organization?: string;
                /** @example python-a */
                text?: string;
                /** @example asha@example.com */
                person?: string;
                /** @example machine.order */
                call?: string;
                /** @example 2026-12-01T03:30:00Z */
                from?: string;
                /** @example 2026-12-01T03:30:00Z */
                until?: string;
                /** @example 2026-11-25T09:30:00.000000Z.4711 */
                before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "rows": [
                     *         {
                     *           "id": 1,
                     *           "at": "2026-12-01T03:30:00Z",
                     *           "call": "machine.order",
                     *           "person": "asha@example.com",
                     *           "role": "admin",
                     *           "organization": "Acme Learning",
                     *           "address": "203.0.113.9",
                     *           "refused": "forbidden",
                     *           "detail": null,
                     *           "before": null,
                     *           "after": null,
                     *           "position": 4711
                     *         }
                     *       ],
                     *       "earlier": null
                     *     }
                     */
                    "application/json": components["schemas"]["ListAuditReply"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    onMachineCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the event. It is the same in every attempt. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures of `id.timestamp.body`, separated by spaces, each as `v1,` and base64. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "machine.created";
                    /** Format: date-time */
                    timestamp: string;
                    data: {
                        /** @constant */
                        version: 1;
                        sequence: number;
                        machine: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        };
                        training: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        };
                        learner: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other reply is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMachineStarted: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the event. It is the same in every attempt. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures of `id.timestamp.body`, separated by spaces, each as `v1,` and base64. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "machine.started";
                    /** Format: date-time */
                    timestamp: string;
                    data: {
                        /** @constant */
                        version: 1;
                        sequence: number;
                        machine: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        };
                        training: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        };
                        learner: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other reply is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMachineStopped: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the event. It is the same in every attempt. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures of `id.timestamp.body`, separated by spaces, each as `v1,` and base64. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "machine.stopped";
                    /** Format: date-time */
                    timestamp: string;
                    data: {
                        /** @constant */
                        version: 1;
                        sequence: number;
                        machine: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        };
                        training: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        };
                        learner: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other reply is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMachineFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the event. It is the same in every attempt. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures of `id.timestamp.body`, separated by spaces, each as `v1,` and base64. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "machine.failed";
                    /** Format: date-time */
                    timestamp: string;
                    data: {
                        /** @constant */
                        version: 1;
                        sequence: number;
                        machine: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        };
                        training: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        };
                        learner: string;
                        reason: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other reply is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMachineAssigned: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the event. It is the same in every attempt. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures of `id.timestamp.body`, separated by spaces, each as `v1,` and base64. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "machine.assigned";
                    /** Format: date-time */
                    timestamp: string;
                    data: {
                        /** @constant */
                        version: 1;
                        sequence: number;
                        machine: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        };
                        training: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        };
                        learner: string;
                        formerLearner: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other reply is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMachineDeleted: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the event. It is the same in every attempt. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures of `id.timestamp.body`, separated by spaces, each as `v1,` and base64. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "machine.deleted";
                    /** Format: date-time */
                    timestamp: string;
                    data: {
                        /** @constant */
                        version: 1;
                        sequence: number;
                        machine: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        };
                        training: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        };
                        learner: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other reply is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOrderCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the event. It is the same in every attempt. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures of `id.timestamp.body`, separated by spaces, each as `v1,` and base64. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "order.created";
                    /** Format: date-time */
                    timestamp: string;
                    data: {
                        /** @constant */
                        version: 1;
                        sequence: number;
                        order: {
                            /** Format: uuid */
                            id: string;
                        };
                        training: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        };
                        template: string;
                        machines: number;
                        orderedBy: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other reply is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOrderReady: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the event. It is the same in every attempt. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures of `id.timestamp.body`, separated by spaces, each as `v1,` and base64. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "order.ready";
                    /** Format: date-time */
                    timestamp: string;
                    data: {
                        /** @constant */
                        version: 1;
                        sequence: number;
                        order: {
                            /** Format: uuid */
                            id: string;
                        };
                        training: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        };
                        template: string;
                        machines: number;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other reply is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTrainingCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the event. It is the same in every attempt. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures of `id.timestamp.body`, separated by spaces, each as `v1,` and base64. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "training.created";
                    /** Format: date-time */
                    timestamp: string;
                    data: {
                        /** @constant */
                        version: 1;
                        sequence: number;
                        training: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other reply is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTrainingRemoved: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the event. It is the same in every attempt. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures of `id.timestamp.body`, separated by spaces, each as `v1,` and base64. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "training.removed";
                    /** Format: date-time */
                    timestamp: string;
                    data: {
                        /** @constant */
                        version: 1;
                        sequence: number;
                        training: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other reply is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTrainingRestored: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the event. It is the same in every attempt. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures of `id.timestamp.body`, separated by spaces, each as `v1,` and base64. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "training.restored";
                    /** Format: date-time */
                    timestamp: string;
                    data: {
                        /** @constant */
                        version: 1;
                        sequence: number;
                        training: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other reply is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBudgetReached: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the event. It is the same in every attempt. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures of `id.timestamp.body`, separated by spaces, each as `v1,` and base64. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "budget.reached";
                    /** Format: date-time */
                    timestamp: string;
                    data: {
                        /** @constant */
                        version: 1;
                        sequence: number;
                        training: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        } | null;
                        percent: number;
                        usedPaise: number;
                        budgetPaise: number;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other reply is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBudgetCapReached: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the event. It is the same in every attempt. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures of `id.timestamp.body`, separated by spaces, each as `v1,` and base64. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "budget.cap_reached";
                    /** Format: date-time */
                    timestamp: string;
                    data: {
                        /** @constant */
                        version: 1;
                        sequence: number;
                        training: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        } | null;
                        budgetPaise: number;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other reply is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onQuotaReached: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the event. It is the same in every attempt. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures of `id.timestamp.body`, separated by spaces, each as `v1,` and base64. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "quota.reached";
                    /** Format: date-time */
                    timestamp: string;
                    data: {
                        /** @constant */
                        version: 1;
                        sequence: number;
                        training: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        } | null;
                        percent: number;
                        usedMinutes: number;
                        allottedMinutes: number;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other reply is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onInvoiceIssued: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the event. It is the same in every attempt. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures of `id.timestamp.body`, separated by spaces, each as `v1,` and base64. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "invoice.issued";
                    /** Format: date-time */
                    timestamp: string;
                    data: {
                        /** @constant */
                        version: 1;
                        sequence: number;
                        number: string;
                        amountPaise: number;
                        /** Format: date */
                        date: string;
                        refersTo: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other reply is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onInvoiceCredited: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the event. It is the same in every attempt. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures of `id.timestamp.body`, separated by spaces, each as `v1,` and base64. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "invoice.credited";
                    /** Format: date-time */
                    timestamp: string;
                    data: {
                        /** @constant */
                        version: 1;
                        sequence: number;
                        number: string;
                        amountPaise: number;
                        /** Format: date */
                        date: string;
                        refersTo: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other reply is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onInvoiceReversed: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the event. It is the same in every attempt. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures of `id.timestamp.body`, separated by spaces, each as `v1,` and base64. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "invoice.reversed";
                    /** Format: date-time */
                    timestamp: string;
                    data: {
                        /** @constant */
                        version: 1;
                        sequence: number;
                        number: string;
                        amountPaise: number;
                        /** Format: date */
                        date: string;
                        refersTo: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other reply is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPaymentReceived: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the event. It is the same in every attempt. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures of `id.timestamp.body`, separated by spaces, each as `v1,` and base64. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "payment.received";
                    /** Format: date-time */
                    timestamp: string;
                    data: {
                        /** @constant */
                        version: 1;
                        sequence: number;
                        number: string;
                        amountPaise: number;
                        /** Format: date */
                        date: string;
                        refersTo: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other reply is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPaymentRefunded: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the event. It is the same in every attempt. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures of `id.timestamp.body`, separated by spaces, each as `v1,` and base64. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "payment.refunded";
                    /** Format: date-time */
                    timestamp: string;
                    data: {
                        /** @constant */
                        version: 1;
                        sequence: number;
                        number: string;
                        amountPaise: number;
                        /** Format: date */
                        date: string;
                        refersTo: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other reply is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPaymentReversed: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the event. It is the same in every attempt. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures of `id.timestamp.body`, separated by spaces, each as `v1,` and base64. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "payment.reversed";
                    /** Format: date-time */
                    timestamp: string;
                    data: {
                        /** @constant */
                        version: 1;
                        sequence: number;
                        number: string;
                        amountPaise: number;
                        /** Format: date */
                        date: string;
                        refersTo: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other reply is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onHandRaised: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the event. It is the same in every attempt. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures of `id.timestamp.body`, separated by spaces, each as `v1,` and base64. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "hand.raised";
                    /** Format: date-time */
                    timestamp: string;
                    data: {
                        /** @constant */
                        version: 1;
                        sequence: number;
                        training: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        };
                        learner: string;
                        reason: ("stuck" | "question" | "slow") | null;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other reply is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onHandLowered: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the event. It is the same in every attempt. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures of `id.timestamp.body`, separated by spaces, each as `v1,` and base64. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "hand.lowered";
                    /** Format: date-time */
                    timestamp: string;
                    data: {
                        /** @constant */
                        version: 1;
                        sequence: number;
                        training: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        };
                        learner: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other reply is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRegistrationRequested: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the event. It is the same in every attempt. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures of `id.timestamp.body`, separated by spaces, each as `v1,` and base64. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "registration.requested";
                    /** Format: date-time */
                    timestamp: string;
                    data: {
                        /** @constant */
                        version: 1;
                        sequence: number;
                        link: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        };
                        training: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        };
                        learner: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other reply is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRegistrationWaiting: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the event. It is the same in every attempt. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures of `id.timestamp.body`, separated by spaces, each as `v1,` and base64. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "registration.waiting";
                    /** Format: date-time */
                    timestamp: string;
                    data: {
                        /** @constant */
                        version: 1;
                        sequence: number;
                        link: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        };
                        training: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        };
                        learner: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other reply is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRegistrationApproved: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the event. It is the same in every attempt. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures of `id.timestamp.body`, separated by spaces, each as `v1,` and base64. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "registration.approved";
                    /** Format: date-time */
                    timestamp: string;
                    data: {
                        /** @constant */
                        version: 1;
                        sequence: number;
                        link: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        };
                        training: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        };
                        learner: string;
                        decidedBy: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other reply is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRegistrationDeclined: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the event. It is the same in every attempt. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures of `id.timestamp.body`, separated by spaces, each as `v1,` and base64. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "registration.declined";
                    /** Format: date-time */
                    timestamp: string;
                    data: {
                        /** @constant */
                        version: 1;
                        sequence: number;
                        link: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        };
                        training: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        };
                        learner: string;
                        decidedBy: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other reply is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRegistrationSeated: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the event. It is the same in every attempt. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures of `id.timestamp.body`, separated by spaces, each as `v1,` and base64. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "registration.seated";
                    /** Format: date-time */
                    timestamp: string;
                    data: {
                        /** @constant */
                        version: 1;
                        sequence: number;
                        link: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        };
                        training: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        };
                        learner: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other reply is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRegistrationLinkFull: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the event. It is the same in every attempt. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures of `id.timestamp.body`, separated by spaces, each as `v1,` and base64. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "registration.link_full";
                    /** Format: date-time */
                    timestamp: string;
                    data: {
                        /** @constant */
                        version: 1;
                        sequence: number;
                        link: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        };
                        training: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        };
                        seats: number;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other reply is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
