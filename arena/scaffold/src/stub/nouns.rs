//! Singular and plural, and what lists are called.

use super::names::{camel, snake};

/// The plural of a snake-case name: that of its last word.
pub(super) fn plural(name: &str) -> String {
    let (before, last) =
        name.rsplit_once('_').map_or(("", name), |(_, last)| (&name[..name.len() - last.len()], last));
    let is = |ends: &[&str]| ends.iter().any(|end| last.ends_with(end));
    let last = match last {
        _ if UNCOUNTED.contains(&last) || singular(last) != last => last.to_owned(),
        _ if last.ends_with('y') && !is(&["ay", "ey", "oy", "uy"]) => {
            format!("{}ies", &last[..last.len() - 1])
        }
        _ if is(&["s", "x", "ch", "sh"]) => format!("{last}es"),
        _ => format!("{last}s"),
    };
    format!("{before}{last}")
}

/// The singular of a snake-case name: that of its last word; a name that isn't a plural stays.
pub(super) fn singular(name: &str) -> String {
    // `tables_with_items`, `rows_2`: the first word is the noun.
    if let Some((noun, rest)) = name.split_once("_with_") {
        return format!("{}_with_{rest}", singular(noun));
    }
    if let Some((noun, number)) =
        name.rsplit_once('_').filter(|(_, end)| end.bytes().all(|b| b.is_ascii_digit()))
    {
        return format!("{}_{number}", singular(noun));
    }
    let (before, last) =
        name.rsplit_once('_').map_or(("", name), |(_, last)| (&name[..name.len() - last.len()], last));
    let without = |letters: usize| last[..last.len() - letters].to_owned();
    let ends = |ends: &[&str]| ends.iter().any(|end| last.ends_with(end));
    let last = match last {
        "people" => "person".to_owned(),
        "children" => "child".to_owned(),
        "vertices" => "vertex".to_owned(),
        "indices" => "index".to_owned(),
        "leaves" => "leaf".to_owned(),
        "wolves" => "wolf".to_owned(),
        "zombies" | "movies" | "cookies" | "genies" | "foes" | "shoes" | "toes" | "canoes" => without(1),
        "viruses" | "bonuses" | "buses" => without(2),
        _ if UNCOUNTED.contains(&last) || last.len() < 4 => last.to_owned(),
        _ if ends(&["ss", "us", "is"]) => last.to_owned(),
        _ if ends(&["ies"]) && last.len() > 4 => format!("{}y", without(3)),
        _ if ends(&["ches", "shes", "sses", "xes", "oes"]) => without(2),
        _ if ends(&["s"]) => without(1),
        _ => last.to_owned(),
    };
    format!("{before}{last}")
}

/// Words without a plural.
const UNCOUNTED: [&str; 7] = ["data", "info", "information", "gold", "status", "axis", "series"];

/// The plural of what a count counts, if its name has it: `treesCount`, `nbTrees` and `trees` count `trees`.
pub(super) fn counted(count: &str) -> Option<String> {
    let name = snake(count);
    let mut bare = name.as_str();
    for start in ["nb_of_", "nb_", "num_of_", "num_", "nr_", "number_of_", "number_", "count_of_", "total_"] {
        bare = bare.strip_prefix(start).unwrap_or(bare);
    }
    for end in ["_per_player", "_count", "_num", "_number", "_amount", "_nb"] {
        bare = bare.strip_suffix(end).unwrap_or(bare);
    }
    let says = bare != name || singular(bare) != bare;
    (says && bare.len() > 1).then(|| plural(bare))
}

/// Whether a name marks its value as a count: `treesCount`, but not `trees`.
pub(super) fn is_count(name: &str) -> bool {
    let name = snake(name);
    counted(&name).is_some_and(|counted| counted != name)
}

/// The noun that is counted in a comment such as `the number of exit gateways`.
pub(super) fn counted_in(comment: &str) -> Option<String> {
    let words = comment.split_once("umber of ")?.1;
    let stops = [
        "in",
        "on",
        "of",
        "to",
        "for",
        "at",
        "the",
        "that",
        "which",
        "still",
        "used",
        "under",
        "you",
        "your",
        "visible",
        "per",
        "between",
        "remaining",
        "left",
        "a",
        "and",
        "or",
        "with",
        "by",
        "from",
    ];
    let words: Vec<&str> = words
        .split_inclusive(' ')
        .map_while(|word| {
            let bare = word.trim_end();
            let is_word = bare.len() > 2 && bare.bytes().all(|byte| byte.is_ascii_lowercase());
            (is_word && !stops.contains(&bare)).then_some(bare)
        })
        .take(2)
        .collect();
    let last = words.iter().rposition(|word| singular(word) != *word)?;
    Some(words[..=last].join("_"))
}

/// The words with which all names begin, in the plural: `playerX` and `playerY` are of `players`.
pub(super) fn common_prefix(names: &[&str]) -> Option<String> {
    let names: Vec<String> = names.iter().map(|name| snake(name)).collect();
    let first: Vec<&str> = names.first()?.split('_').collect();
    let shared = |words: usize| {
        names.iter().all(|name| {
            name.split('_').count() > words && name.split('_').zip(&first).take(words).all(|(a, b)| a == *b)
        })
    };
    let words = (0..first.len()).take_while(|&words| shared(words)).last().unwrap_or(0);
    let prefix = first[..words].join("_");
    (prefix.len() > 2).then(|| plural(&prefix))
}

/// The words with which both names end.
pub(super) fn common_end(a: &str, b: &str) -> Option<String> {
    let words: Vec<&str> =
        a.rsplit('_').zip(b.rsplit('_')).take_while(|(a, b)| a == b).map(|(word, _)| word).collect();
    let end = words.into_iter().rev().collect::<Vec<_>>().join("_");
    (!end.is_empty()).then_some(end)
}

/// A list of single values of a variable.
pub(super) fn values(variable: &str) -> String {
    let name = snake(variable);
    match name.rsplit_once('_') {
        _ if name.len() == 1 => format!("{name}_values"),
        // `mountainH`: the heights of mountains.
        Some((before, last)) if last.len() == 1 && before.len() > 2 => plural(before),
        _ => plural(&name),
    }
}

/// The type of an element, from its list's name.
pub(super) fn row_type(list: &str) -> String {
    camel(&singular(list))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_called_by_what_they_hold() {
        for (count, list, row) in [
            ("treesCount", "trees", "Tree"),
            ("nbProjectiles", "projectiles", "Projectile"),
            ("entityCount", "entities", "Entity"),
            ("entities", "entities", "Entity"),
            ("zombieCount", "zombies", "Zombie"),
            ("numBoxes", "boxes", "Box"),
            ("myScanCount", "my_scans", "MyScan"),
            ("agentDataCount", "agent_data", "AgentData"),
            ("numberOfPossibleActions", "possible_actions", "PossibleAction"),
            ("unitsPerPlayer", "units", "Unit"),
            ("heroes", "heroes", "Hero"),
            ("nbBases", "bases", "Base"),
            ("foeCount", "foes", "Foe"),
            ("numTablesWithItems", "tables_with_items", "TableWithItems"),
            ("numOfDoors", "doors", "Door"),
            ("matchCount", "matches", "Match"),
        ] {
            assert_eq!(counted(count).as_deref(), Some(list), "{count}");
            assert_eq!(row_type(list), row, "{count}");
        }
        for count in ["N", "L", "height", "boardSize", "n", "radius"] {
            assert_eq!(counted(count), None, "{count}");
        }
        assert!(is_count("nbTrees") && is_count("treeCount") && !is_count("trees"));
        assert_eq!(counted_in("the number of exit gateways").as_deref(), Some("exit_gateways"));
        assert_eq!(counted_in("the number of points used to draw").as_deref(), Some("points"));
        assert_eq!(counted_in("the score"), None);
        assert_eq!(common_prefix(&["playerHealth", "playerMana"]).as_deref(), Some("players"));
        assert_eq!(common_prefix(&["x", "y"]), None);
        assert_eq!(common_end("my_drones", "foe_drones").as_deref(), Some("drones"));
        assert_eq!(values("amount"), "amounts");
        assert_eq!(values("mountainH"), "mountains");
        assert_eq!(values("creatureId"), "creature_ids");
        assert_eq!(values("v"), "v_values");
    }
}
