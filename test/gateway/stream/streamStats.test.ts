import { expect, test } from 'vitest';
import { openFanIn } from './openFanIn.ts';

function openObserved() {
  const told: string[] = [];
  const observer = { desync: (reason: string) => told.push(reason), catchUp: () => told.push('catch-up') };
  return { told, fleet: openFanIn(['alpha'], { observer }) };
}

test('stats() tells how far the slowest subscriber is behind, and how late the newest event was', async () => {
  const { told, fleet } = openObserved();
  await using _fleet = fleet;
  await fleet.ready();
  expect(fleet.stream.stats().members).toEqual([]);
  await using slow = fleet.subscribe();
  await using quick = fleet.subscribe();
  await fleet.watched();
  const alpha = () => fleet.stream.stats().members.find(({ name }) => name === 'alpha');
  fleet.log('alpha').add(10);
  await quick.take(10);
  await slow.take(3);
  // The item that a reader was given is behind it.
  expect(alpha()).toEqual({ name: 'alpha', isOpen: true, lagEvents: 7, lagSeconds: 0 });
  await slow.take(7);
  expect(alpha()).toMatchObject({ lagEvents: 0 });
  expect(told).toEqual([]);
});

test('the observer hears of the pages that catch a subscriber up', async () => {
  const { told, fleet } = openObserved();
  await using _fleet = fleet;
  await fleet.ready();
  fleet.log('alpha').add(600);
  await using reader = fleet.subscribe({ after: 'alpha=0,hq=0' });
  await reader.takeEvents(600);
  expect(told).toEqual(['catch-up', 'catch-up']);
});

test('the observer hears of every desync that a subscriber is told', async () => {
  const { told, fleet } = openObserved();
  await using _fleet = fleet;
  await fleet.ready();
  await using reader = fleet.subscribe({ after: 'no cursor' });
  expect(await reader.take(1)).toMatchObject([{ kind: 'desync', reason: 'bad-cursor' }]);
  expect(told).toEqual(['bad-cursor']);
});
