/** Issues credentials in tests, on the day on which they live. Its threads start with the first question. */
import { createIssuer } from '#app/api/credential/issuer.server.ts'
import { dayOf } from '#app/platform/jobs/days.server.ts'
import { NOW, testSecrets } from './database.ts'

export const testIssuer = createIssuer(testSecrets, () => dayOf(NOW))
