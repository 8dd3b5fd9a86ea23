import { modelProviderSuite } from '../../suites/modelProviderSuite.ts';
import { FakeModel } from '../../support/FakeModel.ts';

modelProviderSuite('FakeModel', async ({ replies, hangs = false }) => {
  const provider = new FakeModel(replies);
  if (hangs) provider.hold();
  return { provider, async [Symbol.asyncDispose]() {} };
});
