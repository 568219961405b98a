/** Issues credentials in tests, on the day on which they live. Its threads start with the first question. */
import { createIssuer } from '../../app/credential/issuer.server.ts'
import { dayOf } from '../../app/server/days.server.ts'
import { NOW, testSecrets } from './database.ts'

export const testIssuer = createIssuer(testSecrets, () => dayOf(NOW))
