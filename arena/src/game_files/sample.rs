//! Forms samples of the games of files: groups of games, and their results.
//!
//! A game costs about 50 bytes, and a group of games about 100; the games themselves aren't kept.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::Item;
use coppice_referee::record::{BotRecord, GameRecord, Seating};
use coppice_referee::report::standings::{add_tables, Played};
use coppice_referee::report::summary::{Summary, Tally};
use coppice_referee::series::bot_name;
use coppice_referee::series::fixture::seat_of_first;
use coppice_stats::rating::Meetings;
use coppice_stats::{Grouping, Scoring};

/// Property that identifies a bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Identity {
    /// Their names
    Name,
    /// The command line: for files of several runs, each with bots called A, B, ...
    Command,
}

/// No bot of the games has this name.
#[derive(Debug, thiserror::Error)]
#[error("no bot {name} in the games; there are {}", .known.join(", "))]
pub struct UnknownBot {
    /// The name.
    pub name: String,
    /// The bots there.
    pub known: Vec<String>,
}

/// Two bots of the games have one name.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SameName {
    /// In one game.
    #[error("{0} is on two seats")]
    Seats(String),
    /// In different games.
    #[error(
        "bot {name} is {here} here and was {before} before; --bots-by command tells bots apart by their command lines"
    )]
    Builds {
        /// The name.
        name: String,
        /// The value in this game.
        here: String,
        /// The value in earlier games.
        before: String,
    },
}

/// The games of files.
pub(crate) struct Samples {
    identity: Identity,
    bots: Vec<BotRecord>,
    places: HashMap<String, usize>,
    tally: Tally,
    grouping: Grouping,
    /// The formula of this program's runs for the size of a group; `None` for other programs' games.
    own_size: Option<u32>,
    contest: String,
    seats: usize,
    groups: HashMap<u64, Group>,
    /// The place of each group in the order of judging.
    order: Vec<(u32, u64)>,
    sizes: Vec<u32>,
    /// Points of the best known score of each group's seed.
    best: Vec<Option<i64>>,
    /// The games: group, and the bot and points on each seat in `seated`.
    games: Vec<(u32, u32)>,
    /// A hash of each game's opening, and one of its bots, moves and points, which is 0 if its moves aren't known.
    moves: Vec<(u64, u64)>,
    seated: Vec<(u32, i64)>,
    /// The bot that is meant if none is named.
    first: Option<String>,
}

/// Hashes of a group's opening, and of each of its games.
pub(crate) type GroupMoves = (u64, Vec<u64>);

/// The games of a group, each by its seats.
type Tables = Vec<Vec<Played>>;

/// The last group of one key.
struct Group {
    number: u32,
    seatings: Vec<u64>,
}

impl Samples {
    /// No games yet.
    pub(crate) fn new(identity: Identity) -> Self {
        let grouping = Grouping { size: 1, alone: false, scoring: Scoring::default() };
        Self {
            identity,
            bots: Vec::new(),
            places: HashMap::new(),
            tally: Tally::new("", [], grouping),
            grouping,
            own_size: None,
            contest: String::new(),
            seats: 1,
            groups: HashMap::new(),
            order: Vec::new(),
            sizes: Vec::new(),
            best: Vec::new(),
            games: Vec::new(),
            moves: Vec::new(),
            seated: Vec::new(),
            first: None,
        }
    }

    /// Names the bots of a game as they are told apart.
    ///
    /// # Errors
    /// If a bot of that name was another one before, or a game has two of one name.
    pub(crate) fn name(&self, record: &mut GameRecord) -> Result<(), SameName> {
        if self.identity == Identity::Command {
            for bot in record.bots.iter_mut().filter(|bot| !bot.command.is_empty()) {
                bot.name.clone_from(&bot.command);
            }
        }
        for (seat, bot) in record.bots.iter().enumerate() {
            if record.bots[..seat].iter().any(|other| other.name == bot.name) {
                return Err(SameName::Seats(bot.name.clone()));
            }
            let Some(known) = self.places.get(&bot.name).map(|&place| &self.bots[place]) else { continue };
            if (&known.command, &known.hash) != (&bot.command, &bot.hash) {
                let text = |bot: &BotRecord| {
                    format!("`{}` (hash {})", bot.command, bot.hash.as_deref().unwrap_or("unknown"))
                };
                let (here, before) = (text(bot), text(known));
                return Err(SameName::Builds { name: bot.name.clone(), here, before });
            }
        }
        Ok(())
    }

    /// The number of the group that a game is in.
    pub(crate) fn group_of(&mut self, file: u32, item: &Item) -> u32 {
        let record = &item.record;
        let mut names = record.bots.iter().map(|bot| bot.name.as_str()).collect::<Vec<_>>();
        let seating = hash(&names);
        names.sort_unstable();
        // Where bots play alone, a group is one seed with different bots.
        let names = if record.bots.len() == 1 { Vec::new() } else { names };
        let (key, order) = match (&item.group, &item.seed) {
            (Some(group), _) => (hash(&(file, group, names)), group.parse().ok()),
            (None, Some(seed)) => (hash(&(file, "seed", seed, names)), None),
            (None, None) => (hash(&(file, "game", self.order.len())), None),
        };
        let next = self.order.len() as u32;
        let group = self.groups.entry(key).or_insert(Group { number: u32::MAX, seatings: Vec::new() });
        // If the same bots have the same seats again, this is the next sample with the seed.
        if group.number == u32::MAX || (item.group.is_none() && group.seatings.contains(&seating)) {
            *group = Group { number: next, seatings: Vec::new() };
            self.order.push((file, order.unwrap_or(u64::from(next))));
            self.sizes.push(0);
            self.best.push(None);
        }
        if item.group.is_none() {
            group.seatings.push(seating);
        }
        group.number
    }

    /// Adds a game of a group.
    pub(crate) fn add(&mut self, record: &GameRecord, group: u32) {
        if self.games.is_empty() {
            self.first = Some(first_name(record));
            self.contest.clone_from(&record.contest);
            self.grouping.scoring = record.run.scoring;
            let seats = record.bots.len() as u32;
            let size = if record.run.seating == Some(Seating::All) { (1..=seats).product() } else { seats };
            self.own_size = (!record.run.openings.is_empty()).then_some(size);
        }
        let mut seating = Vec::new();
        for bot in &record.bots {
            let place = *self.places.entry(bot.name.clone()).or_insert(self.bots.len());
            if place == self.bots.len() {
                self.bots.push(bot.clone());
                self.tally.add_bot(bot.clone());
            }
            seating.push(place);
        }
        self.seats = self.seats.max(seating.len());
        self.sizes[group as usize] += 1;
        self.best[group as usize] = record.best_points();
        let mut counted = std::borrow::Cow::Borrowed(record);
        if record.group != group || record.times_ms.len() < seating.len() {
            let mut own = record.clone();
            own.group = group;
            own.times_ms.resize(seating.len(), Vec::new());
            counted = std::borrow::Cow::Owned(own);
        }
        self.tally.add(&counted, &seating);
        self.games.push((group, self.seated.len() as u32));
        // Programs other than this one may leave the moves out.
        let has_moves = !record.moves.is_empty() && record.run.referee.is_none();
        let names = record.bots.iter().map(|bot| &bot.name).collect::<Vec<_>>();
        let moves = hash(&(names, &record.moves, record.points())).max(1);
        self.moves.push((hash(&record.opening), if has_moves { moves } else { 0 }));
        self.seated.extend(seating.iter().map(|&bot| bot as u32).zip(record.points()));
    }

    /// Notes that the games are only some of a run's: whole groups have as many games as most have here.
    pub(crate) fn is_selected(&mut self) {
        self.own_size = None;
    }

    /// Puts the bots into the order of a run's command line, as far as they have played.
    ///
    /// # Errors
    /// None, since the bots are known.
    pub(crate) fn order_as(&mut self, names: &[String]) -> Result<(), UnknownBot> {
        self.order(None)?;
        for name in names.iter().rev() {
            if self.bots.iter().any(|bot| bot.name == *name) {
                self.order(Some(name))?;
            }
        }
        Ok(())
    }

    /// Sorts the bots: letters in their order, names as they appear; `first`, or else the one that is meant if none is
    /// named, before all others.
    ///
    /// # Errors
    /// If the bot is unknown.
    pub(crate) fn order(&mut self, first: Option<&str>) -> Result<(), UnknownBot> {
        let mut order = (0..self.bots.len()).collect::<Vec<_>>();
        let letter =
            |bot: &usize| (0..self.bots.len().max(64)).position(|n| bot_name(n) == self.bots[*bot].name);
        if order.iter().all(|bot| letter(bot).is_some()) {
            order.sort_by_key(letter);
        }
        if let Some(first) = first.or(self.first.as_deref()) {
            let at = order.iter().position(|&bot| self.bots[bot].name == first).ok_or_else(|| {
                let known = self.bots.iter().map(|bot| bot.name.clone()).collect();
                UnknownBot { name: first.to_owned(), known }
            })?;
            order[..=at].rotate_right(1);
        }
        let mut places = vec![0; order.len()];
        order.iter().enumerate().for_each(|(to, &from)| places[from] = to as u32);
        self.seated.iter_mut().for_each(|(bot, _)| *bot = places[*bot as usize]);
        self.bots = order.iter().map(|&bot| self.bots[bot].clone()).collect();
        self.places = self.bots.iter().enumerate().map(|(place, bot)| (bot.name.clone(), place)).collect();
        self.tally.reorder(&order);
        self.grouping.alone = self.seats == 1 && self.bots.len() > 1;
        self.grouping.size = match self.own_size {
            _ if self.grouping.alone => self.bots.len() as u32,
            Some(size) => size,
            None => self.usual_size(),
        };
        self.tally.describe(&self.contest, self.grouping);
        Ok(())
    }

    /// The most common number of games in a group; of two, the larger.
    fn usual_size(&self) -> u32 {
        let mut counts = std::collections::BTreeMap::<u32, u32>::new();
        self.sizes.iter().filter(|&&size| size > 0).for_each(|&size| *counts.entry(size).or_default() += 1);
        counts.into_iter().max_by_key(|&(_, count)| count).map_or(1, |(size, _)| size)
    }

    /// The number of games.
    pub(crate) fn games(&self) -> usize {
        self.games.len()
    }

    /// The bots, in their order.
    pub(crate) fn bots(&self) -> &[BotRecord] {
        &self.bots
    }

    /// How the games form samples.
    pub(crate) fn grouping(&self) -> Grouping {
        self.grouping
    }

    /// The summary of a match.
    pub(crate) fn summary(&self) -> Summary {
        self.tally.summary()
    }

    /// The place of each group in the order of judging.
    fn ranks(&self) -> Vec<usize> {
        let mut groups = (0..self.order.len()).collect::<Vec<_>>();
        groups.sort_by_key(|&group| self.order[group]);
        let mut rank = vec![0; groups.len()];
        groups.iter().enumerate().for_each(|(place, &group)| rank[group] = place);
        rank
    }

    /// The games of each group, groups in the order of judging, games in that of the files.
    fn by_group(&self) -> Vec<Vec<Vec<Played>>> {
        let rank = self.ranks();
        let mut all = vec![Vec::new(); rank.len()];
        for (index, &(group, start)) in self.games.iter().enumerate() {
            let end = self.games.get(index + 1).map_or(self.seated.len(), |&(_, start)| start as usize);
            let seated = self.seated[start as usize..end].iter().enumerate();
            let table = seated.map(|(seat, &(bot, points))| Played { bot: bot as usize, seat, points });
            all[rank[group as usize]].push(table.collect());
        }
        all
    }

    /// The meetings of all games.
    pub(crate) fn meetings(&self) -> Meetings {
        let mut meetings = Meetings::new(self.bots.len(), self.seats);
        for group in self.by_group() {
            add_tables(group, &mut meetings);
        }
        meetings
    }

    /// The first bot's samples in the order of judging, up to the first group that isn't whole, with their
    /// opening and the moves of their games if all are known.
    pub(crate) fn in_order(&self) -> Vec<(f64, Option<GroupMoves>)> {
        let (size, rank) = (self.grouping.size as usize, self.ranks());
        let mut known = vec![None; rank.len()];
        rank.iter().zip(&self.best).for_each(|(&rank, &best)| known[rank] = best);
        let mut moves = vec![Vec::new(); rank.len()];
        for (&(group, _), &game) in self.games.iter().zip(&self.moves) {
            moves[rank[group as usize]].push(game);
        }
        let of_group = |(rank, (group, games)): (usize, (Tables, Vec<(u64, u64)>))| {
            let sample = (group.len() == size).then(|| self.sample(&group, known[rank])).flatten()?;
            let (opening, moves) =
                (games.first()?.0, games.iter().map(|&(_, moves)| moves).collect::<Vec<_>>());
            Some((sample, moves.iter().all(|&game| game != 0).then_some((opening, moves))))
        };
        self.by_group().into_iter().zip(moves).enumerate().map_while(of_group).collect()
    }

    fn sample(&self, group: &[Vec<Played>], known: Option<i64>) -> Option<f64> {
        let split = |played: &[Played]| {
            let mine = played.iter().find(|played| played.bot == 0)?.points;
            let others = played.iter().filter(|played| played.bot != 0).map(|played| played.points);
            Some(self.grouping.sample(mine, others, known))
        };
        if self.grouping.alone {
            return split(&group.concat());
        }
        let scores = group.iter().map(|table| split(table)).collect::<Option<Vec<_>>>()?;
        Some(scores.iter().sum::<f64>() / scores.len() as f64)
    }
}

/// The bot that is meant if none is named: the one that the run's command line named first, as far as a game tells it.
pub(crate) fn first_name(record: &GameRecord) -> String {
    let names = record.bots.iter().map(|bot| bot.name.clone());
    let is_letter = |name: &String| (0..64).any(|n| bot_name(n) == *name);
    // Only this program's runs have openings.
    let seat = match record.run.openings.is_empty() {
        true => 0,
        false => seat_of_first(record.game, record.bots.len(), record.run.seating.unwrap_or_default()),
    };
    match names.clone().all(|name| is_letter(&name)) {
        true => bot_name(0),
        false => names.into_iter().nth(seat).unwrap_or_default(),
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
